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
import { capabilityGroups, type CapabilityGroup } from "./capability-groups.ts";

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
              <Licence licence={data.licence} />
            </Fact>
          </Facts>
          <Table className="mt-2">
            <thead>
              <tr>
                <HeadCell className="w-24 sm:w-36">Area</HeadCell>
                <HeadCell>This installation</HeadCell>
              </tr>
            </thead>
            <tbody>
              {capabilityGroups(data.capabilities).map((group) => (
                <tr key={group.title}>
                  <Cell>{group.title}</Cell>
                  <Cell>
                    <Grants group={group} />
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

function Licence({ licence: { status, expires_at: end, message } }: { licence: EditionView["licence"] }) {
  if (status === "none") return message ?? "None. The Community edition needs no key. Set SERVICE_LICENSE_KEY to use another edition.";
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

function Grants({ group: { granted, missing } }: { group: CapabilityGroup }) {
  return (
    <ul>
      {granted.length > 0 && (
        <li className="flex items-baseline gap-2">
          <Check size={14} aria-hidden className="shrink-0 translate-y-0.5 text-ok" />
          <span>{granted.join(", ")}</span>
        </li>
      )}
      {missing.map(({ edition, names }) => (
        <li key={edition} className="flex items-baseline gap-2 text-ink-2">
          <Lock size={14} aria-hidden className="shrink-0 translate-y-0.5 text-ink-3" />
          <span>
            {names.join(", ")}: with {editionName(edition)}
          </span>
        </li>
      ))}
    </ul>
  );
}
