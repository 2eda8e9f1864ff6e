import { Check } from "lucide-react";
import { useState } from "react";
import type { Cves, UpdateRecord, VulnerabilityRecord } from "../../../../src/monitoring/updates/answers.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { asSentence } from "../../format/sentence.ts";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { CVE_WORDS, cveWords, listedWords, webAddress } from "./words.ts";

/** So many are shown unasked. */
const FIRST = 8;

const SOURCES: Readonly<Record<NonNullable<Cves["source"]>, string>> = {
  sbom: "the SBOM attached to the image",
  layers: "the package lists in its layers",
};

/** What is known to be vulnerable in the image that runs, the worst first, and what the update puts right. */
export function Vulnerabilities({ update }: { update: UpdateRecord }) {
  const { cves } = update;
  if (cves === null) return null;
  const { text, level } = cveWords(cves);
  return (
    <Section
      title="Vulnerabilities of the current image"
      aside={
        <span className="inline-flex items-center gap-1.5 text-sm text-ink tabular-nums">
          <LevelMark level={level} size={10} />
          {text}
        </span>
      }
    >
      <p className="pt-2 text-ink-2 tabular-nums">
        {changeWords(cves)} {sourceWords(cves)} {cves.vulnerabilities.length > FIRST && listedWords(cves, cves.vulnerabilities.length)}
      </p>
      {cves.note !== null && (
        <p dir="auto" className="pt-1 wrap-anywhere text-ink-2">
          {asSentence(cves.note)}
        </p>
      )}
      <List vulnerabilities={cves.vulnerabilities} />
    </Section>
  );
}

function changeWords({ fixed_by_update: fixed, new_in_update: fresh, counts }: Cves): string {
  if (fixed === null) return "";
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const gone =
    total === 0 ? "" : fixed === total ? "The update fixes all of them." : `Fixes ${countOf(fixed, "vulnerability", "vulnerabilities")}.`;
  return `${gone}${fresh === null || fresh === 0 ? "" : ` Introduces ${formatCount(fresh)} new.`}`;
}

function sourceWords({ source, packages }: Cves): string {
  return source === null ? "" : `Known from ${SOURCES[source]}: ${countOf(packages, "package")}.`;
}

function List({ vulnerabilities }: { vulnerabilities: readonly VulnerabilityRecord[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? vulnerabilities : vulnerabilities.slice(0, FIRST);
  if (shown.length === 0) return null;
  return (
    <>
      <ul aria-label="Vulnerabilities" className="mt-2 border-b border-line">
        {shown.map((vulnerability) => (
          <Row key={`${vulnerability.osv_id} ${vulnerability.package} ${vulnerability.version}`} vulnerability={vulnerability} />
        ))}
      </ul>
      {vulnerabilities.length > FIRST && (
        <Button kind="quiet" className="mt-2 -ml-2.5" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show ${formatCount(vulnerabilities.length - FIRST)} more`}
        </Button>
      )}
    </>
  );
}

function Row({ vulnerability }: { vulnerability: VulnerabilityRecord }) {
  const { id, package: name, version, score, severity, fixed_in, fixed_by_update, summary, url } = vulnerability;
  const { level, word } = CVE_WORDS[severity ?? "unknown"];
  const address = webAddress(url);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 border-t border-line py-2 sm:grid-cols-[108px_minmax(0,1fr)_auto]">
      <span className="flex items-center gap-2 self-start whitespace-nowrap tabular-nums" title={vulnerability.vector ?? undefined}>
        <LevelMark level={level} />
        <span>{word}</span>
        <span className="text-ink-2">{score?.toFixed(1)}</span>
      </span>
      <div className="min-w-0 max-sm:order-3 max-sm:col-span-2">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          {address === undefined ? (
            <bdi className="font-[550] wrap-anywhere">{id}</bdi>
          ) : (
            <a
              href={address}
              target="_blank"
              rel="noreferrer"
              className="min-w-0 font-[550] wrap-anywhere underline decoration-line-strong underline-offset-2"
            >
              <bdi>{id}</bdi>
            </a>
          )}
          <span className="min-w-0 wrap-anywhere">
            <bdi>{name}</bdi> <bdi className="text-ink-2">{version}</bdi>
          </span>
          <span className="min-w-0 text-sm wrap-anywhere text-ink-2">
            {fixed_in === null ? (
              "no fix available"
            ) : (
              <>
                fixed in <bdi>{fixed_in}</bdi>
              </>
            )}
          </span>
        </p>
        {summary !== "" && (
          <p dir="auto" title={summary} className="line-clamp-2 text-sm wrap-anywhere text-ink-2">
            {summary}
          </p>
        )}
      </div>
      <span className="justify-self-end text-xs leading-5 whitespace-nowrap">
        {fixed_by_update === true && (
          <span className="inline-flex items-center gap-1 text-ok">
            <Check size={13} aria-hidden />
            fixed by the update
          </span>
        )}
        {fixed_by_update === false && <span className="text-ink-3">not fixed by the update</span>}
      </span>
    </li>
  );
}
