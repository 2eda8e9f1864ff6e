import { formatAgo, formatExact, formatLength } from "../format/time.ts";
import { useNow } from "./ticker.tsx";

/** How long something has lasted (`8 min`) or how long ago it was (`8 min ago`), kept right as time passes. */
export function Age({ at, form = "for", className }: { at: string; form?: "for" | "ago"; className?: string }) {
  const format = form === "ago" ? formatAgo : formatLength;
  const text = useNow((nowMs) => format(nowMs - Date.parse(at)));
  return (
    <time dateTime={at} title={formatExact(at)} className={className ?? "tabular-nums"}>
      {text}
    </time>
  );
}
