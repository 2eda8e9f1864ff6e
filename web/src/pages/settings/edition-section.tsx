import { useQuery } from "@tanstack/react-query";
import type { EditionView } from "../../../../src/editions/answers.ts";
import { Check, Lock } from "lucide-react";
import { editionQuery } from "../../api/queries.ts";
import { editionName } from "../../format/edition-name.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";
import { capabilityName } from "./capability-name.ts";

/** The edition in force, its licence, and what each edition grants. */
export function EditionSection() {
  const { data, error, refetch } = useQuery(editionQuery);
  return (
    <Section title="Edition and licence">
      {error !== null && <ErrorNote what="Could not load the edition." error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <SkeletonRows count={8} label="Loading edition" />
      ) : (
        <>
          <Facts>
            <Fact name="Edition">{editionName(data.edition)}</Fact>
            {data.organisation !== null && <Fact name="Licensed to">{data.organisation}</Fact>}
            <Fact name="Licence key">
              <Licence licence={data.licence} isDemo={data.edition !== "community" && data.licence.status === "none"} />
            </Fact>
            <Fact name="History ranges">{data.history_ranges.join(", ")}</Fact>
          </Facts>
          <Table className="mt-2">
            <thead>
              <tr>
                <HeadCell>Capability</HeadCell>
                <HeadCell>This installation</HeadCell>
              </tr>
            </thead>
            <tbody>
              {data.capabilities.map((capability) => (
                <tr key={capability.name}>
                  <Cell>{capabilityName(capability.name)}</Cell>
                  <Cell>
                    <Grant capability={capability} />
                  </Cell>
                </tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
    </Section>
  );
}

function Licence({ licence: { status, expires_at: end, message }, isDemo }: { licence: EditionView["licence"]; isDemo: boolean }) {
  if (isDemo) return "None. A demo shows every edition's features without one.";
  if (status === "none") return "None. The Community edition needs no key. Set SERVICE_LICENSE_KEY to use another edition.";
  return (
    <>
      {LICENCES[status]}
      {end !== null && (
        <>
          , {status === "valid" ? "until" : "ended"} <Timestamp at={end} precision="minute" />
        </>
      )}
      {message !== null && <p className="text-ink-2">{message}</p>}
    </>
  );
}

const LICENCES: Readonly<Record<Exclude<EditionView["licence"]["status"], "none">, string>> = {
  valid: "Valid",
  grace: "In grace period",
  expired: "Expired",
  invalid: "Rejected",
};

function Grant({ capability: { granted, required_edition: edition } }: { capability: EditionView["capabilities"][number] }) {
  const Icon = granted ? Check : Lock;
  return (
    <span className={granted ? "flex items-center gap-2" : "flex items-center gap-2 text-ink-2"}>
      <Icon size={14} aria-hidden className={granted ? "text-ok" : "text-ink-3"} />
      {granted ? "Included" : `With ${editionName(edition)}`}
    </span>
  );
}
