import { formatLocal, formatExact } from "../format/time.ts";
import { useNow } from "./ticker.tsx";

/** A point in local time; its title has the date and the offset. */
export function Timestamp({ at, precision }: { at: string; precision?: "minute" | "second" | "millisecond" }) {
  const text = useNow((nowMs) => formatLocal(at, nowMs, precision));
  return (
    <time dateTime={at} title={formatExact(at)} className="whitespace-nowrap tabular-nums">
      {text}
    </time>
  );
}
