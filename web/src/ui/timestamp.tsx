import { formatLocal, formatUtc } from "../format/time.ts";
import { useNow } from "./ticker.tsx";

/** A point in local time; its title tells it in UTC. */
export function Timestamp({ at, precision }: { at: string; precision?: "minute" | "second" | "millisecond" }) {
  const text = useNow((nowMs) => formatLocal(at, nowMs, precision));
  return (
    <time dateTime={at} title={formatUtc(at)} className="whitespace-nowrap tabular-nums">
      {text}
    </time>
  );
}
