import { Globe, House, Network } from "lucide-react";
import type { Entrance, Reach } from "./bands.ts";

const REACHES = {
  every_network: { icon: Globe, words: "on all interfaces" },
  one_network: { icon: Network, words: "on one interface" },
  host: { icon: House, words: "from the host only" },
} as const satisfies Record<Reach, object>;

/** A port of a host, and by its sign who reaches it. */
export function EntranceLabel({ entrance: { label, reach } }: { entrance: Entrance }) {
  const { icon: Icon, words } = REACHES[reach];
  return (
    <span title={`Reachable ${words}`} className="inline-flex min-w-0 items-center gap-1.5">
      <Icon size={13} aria-hidden className="shrink-0 text-ink-3" />
      <span className="truncate font-mono text-xs">{label}</span>
      <span className="sr-only">, reachable {words}</span>
    </span>
  );
}

/** What the signs mean. */
export function EntranceLegend() {
  return (
    <ul aria-label="From where ports are reachable" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
      {Object.values(REACHES).map(({ icon: Icon, words }) => (
        <li key={words} className="flex items-center gap-1.5">
          <Icon size={13} aria-hidden className="text-ink-3" />
          {`Reachable ${words}`}
        </li>
      ))}
    </ul>
  );
}
