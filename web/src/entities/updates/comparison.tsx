import { withoutTag } from "../../../../src/contract/image-pattern.ts";
import type { ComparisonRecord } from "../../../../src/monitoring/updates/answers.ts";
import { asSentence } from "../../format/sentence.ts";
import { formatAge } from "../../format/time.ts";
import { Age } from "../../ui/age.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";
import { figureRows, VERDICT_WORDS } from "./figures.ts";
import { shortDigest } from "./words.ts";

/** How the container did before and after its image last changed. */
export function Comparison({ comparison }: { comparison: ComparisonRecord }) {
  const { verdict, changes, changed_at, window_seconds, previous_image, image, previous_digest, digest } = comparison;
  const { status, word } = VERDICT_WORDS[verdict];
  const rows = figureRows(comparison);
  const worse = changes.filter((change) => change.worse);
  const isSameName = previous_image === image;
  return (
    <Section
      title="Since the last image change"
      aside={
        <span className="inline-flex items-center gap-1.5 text-sm text-ink">
          <StatusIcon status={status} size={10} />
          {word}
        </span>
      }
    >
      <p className="pt-2 wrap-anywhere text-ink-2">
        Changed <Age at={changed_at} form="ago" /> from{" "}
        <bdi className="text-ink">{nameOf(previous_image, previous_digest, isSameName)}</bdi> to{" "}
        <bdi className="text-ink">{isSameName ? (shortDigest(digest) ?? image) : image}</bdi>.{" "}
        {verdict === "pending" && "Too early to compare with before."}
        {verdict === "unknown" && "Not enough data to compare."}
      </p>
      {worse.length > 0 && (
        <ul className="pt-1">
          {worse.map((change) => (
            <li key={change.figure} className="flex items-baseline gap-2">
              <StatusIcon status="degraded" size={10} />
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {asSentence(change.text)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {rows.length > 0 && (
        <Table className="mt-2 max-w-[34rem] table-fixed">
          <thead>
            <tr>
              <HeadCell className="w-[36%]">{formatAge(window_seconds * 1000)} before and after</HeadCell>
              <HeadCell numeric>Before</HeadCell>
              <HeadCell numeric>After</HeadCell>
              <HeadCell className="w-20">
                <span className="sr-only">Change</span>
              </HeadCell>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, before, after, change }) => (
              <tr key={name}>
                <Cell className="text-ink-2">{name}</Cell>
                <Cell numeric>{before}</Cell>
                <Cell numeric className={change === undefined ? undefined : "font-[550]"}>
                  {after}
                </Cell>
                <Cell>
                  {change !== undefined && (
                    <span className="inline-flex items-center gap-1.5 text-sm">
                      <StatusIcon status={change.worse ? "degraded" : "ok"} size={10} />
                      {change.worse ? "worse" : "better"}
                    </span>
                  )}
                </Cell>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  );
}

/** Where the name stayed, the contents distinguish the two. */
function nameOf(image: string, digest: string | null, isSameName: boolean): string {
  if (!isSameName) return image;
  return `${withoutTag(image)} ${shortDigest(digest) ?? ""}`.trim();
}
