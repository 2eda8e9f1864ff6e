import { useState } from "react";
import { Button } from "../../../ui/button.tsx";

/** So many are shown unasked. */
const FIRST = 6;

/** The container's labels, ours first. Values that look secret come masked from the server. */
export function LabelList({ labels }: { labels: Readonly<Record<string, string>> }) {
  const [isOpen, setOpen] = useState(false);
  const sorted = Object.entries(labels).toSorted(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
  const shown = isOpen ? sorted : sorted.slice(0, FIRST);
  return (
    <>
      <dl className="grid gap-x-6 py-1 font-mono text-xs leading-5 [font-variant-ligatures:none] sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        {shown.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="pt-1 wrap-anywhere text-ink-2 sm:py-1">
              <bdi>{name}</bdi>
            </dt>
            <dd className="pb-1 wrap-anywhere sm:py-1">
              {value === "" ? <span className="text-ink-3">empty</span> : <LabelValue value={value} />}
            </dd>
          </div>
        ))}
      </dl>
      {sorted.length > FIRST && (
        <Button kind="quiet" aria-expanded={isOpen} className="-ml-2.5" onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show fewer" : `Show all ${sorted.length}`}
        </Button>
      )}
    </>
  );
}

const LONG = 300;

function LabelValue({ value }: { value: string }) {
  const [isWhole, setWhole] = useState(false);
  const masked = /^\*+$/.test(value);
  if (masked) return <span title="Hidden: looks like a secret">{value}</span>;
  if (isWhole || value.length <= LONG) return <bdi>{value}</bdi>;
  return (
    <>
      <bdi>{value.slice(0, LONG)}</bdi>{" "}
      <button type="button" className="font-sans text-ink-2 underline hover:text-ink" onClick={() => setWhole(true)}>
        {value.length - LONG} more characters
      </button>
    </>
  );
}

function rank(name: string): number {
  return name.startsWith("service.") ? 0 : 1;
}
