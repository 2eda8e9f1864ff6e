import { classNames } from "./class-names.ts";

/** How serious a finding, a vulnerability or a risk is: 4 is critical. */
export type Level = 0 | 1 | 2 | 3 | 4;

/** Rising bars without a status colour: what could be better is never drawn like an outage. Words must stand beside it. */
export function LevelMark({ level, size = 12, className }: { level: Level; size?: number; className?: string | undefined }) {
  return (
    <svg viewBox="0 0 12 12" width={size} height={size} aria-hidden className={classNames("shrink-0 text-ink-2", className)}>
      {[1, 2, 3, 4].map((step) => (
        <rect
          key={step}
          x={(step - 1) * 3 + 0.25}
          y={11.5 - step * 2.5}
          width="2.25"
          height={step * 2.5}
          rx="0.6"
          fill="currentColor"
          opacity={step <= level ? 1 : 0.22}
        />
      ))}
    </svg>
  );
}
