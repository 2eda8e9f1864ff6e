import { Timestamp } from "../../ui/timestamp.tsx";

/** From when to when, in local time. */
export function Span({ from, until }: { from: string; until: string }) {
  return (
    <span className="text-ink-2">
      <Timestamp at={from} precision="minute" /> – <Timestamp at={until} precision="minute" />
    </span>
  );
}
