import { linkOptions } from "@tanstack/react-router";
import type { EditionView } from "../../../../../src/editions/answers.ts";
import { RANGE_NAMES, type Range } from "../../../../../src/contract/ranges.ts";
import { editionName } from "../../../format/edition-name.ts";
import { RANGE_LABELS } from "../../../format/range-labels.ts";
import { LinkSwitch } from "../../../ui/link-switch.tsx";
import { requiredEdition } from "./metrics-gate.ts";

const LONG_NAMES: Readonly<Record<Range, string>> = {
  "1h": "the last hour",
  "6h": "the last 6 hours",
  "24h": "the last 24 hours",
  "7d": "the last 7 days",
  "30d": "the last 30 days",
};

/** `the last 6 hours` */
export function longName(range: Range): string {
  return LONG_NAMES[range];
}

/** How far back the charts go: each range has its own address. Those that the edition does not grant say so. */
export function RangeSwitch({ id, range, edition }: { id: number; range: Range; edition: EditionView | undefined }) {
  const choices = RANGE_NAMES.map((value) => {
    const required = edition === undefined ? undefined : requiredEdition(edition, value);
    return {
      value,
      name: RANGE_LABELS[value],
      link: linkOptions({ to: "/containers/$id", params: { id }, search: { tab: "metrics", ...(value !== "1h" && { range: value }) } }),
      required: required === undefined ? undefined : editionName(required),
    };
  });
  return <LinkSwitch label="Range" value={range} choices={choices} />;
}
