import { useEffect, useRef } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";

interface Properties {
  onDiscard: () => void;
  onKeep: () => void;
  className?: string;
}

/** Asks before what is typed is lost. */
export function DiscardQuestion({ onDiscard, onKeep, className }: Properties) {
  const keeps = useRef<HTMLButtonElement>(null);
  useEffect(() => keeps.current?.focus(), []);
  return (
    <div role="alertdialog" aria-label="Discard your changes?" className={classNames("flex flex-wrap items-center gap-2", className)}>
      <span className="grow">Discard your changes?</span>
      <span className="flex gap-2">
        <Button kind="danger" onClick={onDiscard}>
          Discard
        </Button>
        <Button ref={keeps} onClick={onKeep}>
          Keep editing
        </Button>
      </span>
    </div>
  );
}
