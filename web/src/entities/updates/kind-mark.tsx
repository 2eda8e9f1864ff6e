import type { UpdateType } from "../../../../src/events.ts";
import { classNames } from "../../ui/class-names.ts";
import { TYPE_WORDS } from "./words.ts";

/** From which of the three parts of a version on everything is new; the content of a tag leaves all three as they are. */
const FIRST_NEW: Readonly<Record<UpdateType, number>> = { major: 0, minor: 1, patch: 2, digest: 3 };

/** How large a step is: the three parts of a version, those filled that change, with its word. */
export function KindMark({ type, className }: { type: UpdateType; className?: string }) {
  const { word, means } = TYPE_WORDS[type];
  return (
    <span title={means} className={classNames("flex items-center gap-2 whitespace-nowrap", className)}>
      <svg viewBox="0 0 19 8" width="19" height="8" aria-hidden className={type === "major" ? "text-ink" : "text-ink-2"}>
        {[0, 1, 2].map((part) => (
          <rect
            key={part}
            x={0.6 + part * 6.5}
            y="1.6"
            width="4.8"
            height="4.8"
            rx="1.2"
            fill={part >= FIRST_NEW[type] ? "currentColor" : "none"}
            stroke="currentColor"
            strokeWidth="1.2"
          />
        ))}
      </svg>
      {word}
    </span>
  );
}
