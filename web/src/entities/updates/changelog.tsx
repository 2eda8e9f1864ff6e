import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { ChangelogRecord, UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { asSentence } from "../../format/sentence.ts";
import { Age } from "../../ui/age.tsx";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Section } from "../../ui/section.tsx";
import { passagesOf } from "./passages.ts";
import { webAddress } from "./words.ts";

type Entry = ChangelogRecord["entries"][number];

/** So many are shown unasked. */
const FIRST = 4;
/** What is longer is folded: by lines and by characters. */
const FOLDED = { lines: 9, characters: 700 };

/** What its authors say changed between what runs and what is available. */
export function Changelog({ update }: { update: UpdateRecord }) {
  const { changelog } = update;
  const [all, setAll] = useState(false);
  const address = webAddress(changelog?.url ?? null) ?? webAddress(update.changelog_url);
  if (changelog === null) return null;
  const { entries } = changelog;
  const breaking = entries.filter((entry) => entry.breaking.length > 0).length;
  return (
    <Section
      title="Changelog"
      aside={
        address !== undefined && (
          <a href={address} target="_blank" rel="noreferrer" className="hover:text-ink hover:underline">
            Full changelog
          </a>
        )
      }
    >
      {entries.length > 0 && (
        <p className="pt-2 text-ink-2 tabular-nums">
          {countOf(entries.length, "release")} on the way
          {breaking > 0
            ? `, of which ${breaking} ${breaking === 1 ? "says" : "say"} about breaking changes.`
            : "; none mentions breaking changes."}
        </p>
      )}
      {changelog.note !== null && (
        <p dir="auto" className="pt-2 wrap-anywhere text-ink-2">
          {asSentence(changelog.note)}
        </p>
      )}
      <ol aria-label="Releases" className="mt-2">
        {(all ? entries : entries.slice(0, FIRST)).map((entry, index) => (
          <Release key={`${entry.version} ${index}`} entry={entry} />
        ))}
      </ol>
      {entries.length > FIRST && (
        <Button kind="quiet" className="mt-2 -ml-2.5" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show ${formatCount(entries.length - FIRST)} more`}
        </Button>
      )}
    </Section>
  );
}

/** One release. Its text is shown as it was written: Markdown from outside never becomes HTML here. */
function Release({ entry: { version, title, url, published_at, text, breaking } }: { entry: Entry }) {
  const [open, setOpen] = useState(false);
  const { passages, missing } = passagesOf(text, breaking);
  const isLong = text.length > FOLDED.characters || text.split("\n").length > FOLDED.lines;
  const address = webAddress(url);
  return (
    <li className="border-t border-line py-3">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        {address === undefined ? (
          <bdi className="font-[570] wrap-anywhere">{version}</bdi>
        ) : (
          <a
            href={address}
            target="_blank"
            rel="noreferrer"
            className="font-[570] wrap-anywhere underline decoration-line-strong underline-offset-2"
          >
            <bdi>{version}</bdi>
          </a>
        )}
        {title !== "" && title !== version && <bdi className="min-w-0 wrap-anywhere text-ink-2">{title}</bdi>}
        {published_at !== null && (
          <span className="ml-auto text-xs text-ink-2">
            <Age at={published_at} form="ago" />
          </span>
        )}
      </p>
      {breaking.length > 0 && (
        <p className="mt-1 flex items-center gap-1.5 text-sm text-degraded">
          <TriangleAlert size={13} aria-hidden />
          {breaking.length === 1 ? "One sentence says" : `${formatCount(breaking.length)} sentences say`} about breaking changes
        </p>
      )}
      {missing.map((sentence, index) => (
        <p key={index} dir="auto" className="mt-1 w-fit max-w-full bg-degraded-soft px-1.5 text-sm wrap-anywhere">
          {sentence}
        </p>
      ))}
      <div
        dir="auto"
        className={classNames(
          "mt-1.5 max-w-[88ch] text-sm wrap-anywhere whitespace-pre-wrap text-ink-2",
          isLong && !open && "line-clamp-9",
        )}
      >
        {passages.map((passage, index) =>
          passage.breaking ? (
            <mark key={index} className="rounded-[3px] bg-degraded-soft box-decoration-clone px-0.5 text-ink">
              {passage.text}
            </mark>
          ) : (
            passage.text
          ),
        )}
      </div>
      {isLong && (
        <Button kind="quiet" className="mt-1 -ml-2.5" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Show less" : "Read all"}
          <span className="sr-only"> of {version}</span>
        </Button>
      )}
    </li>
  );
}
