import { GripVertical } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "../../../ui/class-names.ts";
import type { Piece } from "../arrangement.ts";
import { handleId } from "./use-key-lift.ts";

/** What explains the keys to whoever comes to a handle by them. */
export const HANDLE_HELP = "order-help";

type Properties = ComponentProps<"button"> & { piece: Piece; name: string; isLifted: boolean };

/** By what a component or a group is moved. */
export function Handle({ piece, name, isLifted, ...rest }: Properties) {
  return (
    <button
      type="button"
      id={handleId(piece)}
      aria-label={`Move ${name}`}
      aria-pressed={isLifted}
      aria-describedby={HANDLE_HELP}
      title="Drag to move, or press Space"
      className={classNames(
        "inline-flex size-8 shrink-0 max-md:-my-1 max-md:size-10 cursor-grab touch-none items-center justify-center rounded text-ink-3 hover:bg-hover hover:text-ink active:cursor-grabbing",
        isLifted && "bg-accent-soft text-accent",
      )}
      {...rest}
    >
      <GripVertical size={16} strokeWidth={1.75} aria-hidden />
    </button>
  );
}
