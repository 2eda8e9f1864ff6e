import { ChevronRight } from "lucide-react";
import { classNames } from "../../ui/class-names.ts";
import { Name } from "../../ui/name.tsx";

interface Properties {
  name: string;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

/** The name of a row that opens, over the whole of it; the row is `relative`. */
export function Disclosure({ name, isOpen, onToggle }: Properties) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => onToggle(!isOpen)}
      className="flex max-w-full items-center gap-1.5 font-[550] outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      <ChevronRight size={14} aria-hidden className={classNames("shrink-0 text-ink-3 transition-transform", isOpen && "rotate-90")} />
      <Name>{name}</Name>
    </button>
  );
}
