import type { AuditEntry } from "../../../../../src/administration/audit/answers.ts";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Summary } from "../../../ui/summary.tsx";
import { Cell, HeadCell, Table } from "../../../ui/table.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { ACTOR_WORDS, changeWords, operationWords } from "./words.ts";
import { useRowKeys } from "../../../lists/use-row-keys.ts";

/** The entries of the audit log; on a phone the columns of a row stand below each other. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  useRowKeys();
  return (
    <Table aria-label="Audit log">
      <thead className="max-md:sr-only">
        <tr>
          <HeadCell>Time</HeadCell>
          <HeadCell>Actor</HeadCell>
          <HeadCell>Operation</HeadCell>
          <HeadCell>Changes</HeadCell>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id} className="max-md:block max-md:border-b max-md:border-line max-md:py-2">
            <Cell className="align-top whitespace-nowrap text-ink-2 py-1.5 max-md:block max-md:h-auto max-md:border-0 max-md:py-0">
              <Timestamp at={entry.at} precision="minute" />
            </Cell>
            <Cell className="align-top py-1.5 max-md:block max-md:h-auto max-md:border-0 max-md:py-0">
              <ActorCell entry={entry} />
            </Cell>
            <Cell className="align-top py-1.5 max-md:block max-md:h-auto max-md:border-0 max-md:py-0">
              <OperationCell entry={entry} />
            </Cell>
            <Cell className="align-top py-1.5 max-md:block max-md:h-auto max-md:border-0 max-md:py-0">
              <Changes entry={entry} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function ActorCell({ entry: { actor, address } }: { entry: AuditEntry }) {
  return (
    <>
      {ACTOR_WORDS[actor.kind]} {actor.name !== null && <bdi className="text-ink-2 wrap-anywhere">{actor.name}</bdi>}
      {address !== null && <span className="block text-xs text-ink-2 tabular-nums">{address}</span>}
    </>
  );
}

function OperationCell({ entry }: { entry: AuditEntry }) {
  const { entity, outcome, error } = entry;
  return (
    <>
      <span className="flex items-center gap-2" title={entry.operation}>
        {operationWords(entry)}
      </span>
      {entity?.id != null && <bdi className="block text-ink-2 wrap-anywhere">{entity.name ?? entity.id}</bdi>}
      {outcome === "refused" && (
        <span className="flex items-center gap-2 text-sm">
          <StatusIcon status="degraded" size={10} /> Refused: {error}
        </span>
      )}
    </>
  );
}

/** How many fields are shown at once. */
const SHOWN = 4;

function Changes({ entry }: { entry: AuditEntry }) {
  const fields = changeWords(entry);
  return (
    <>
      <FieldList fields={fields.slice(0, SHOWN)} />
      {fields.length > SHOWN && (
        <details>
          <Summary>{fields.length - SHOWN} more</Summary>
          <FieldList fields={fields.slice(SHOWN)} />
        </details>
      )}
    </>
  );
}

function FieldList({ fields }: { fields: readonly { name: string; text: string }[] }) {
  return fields.map(({ name, text }) => (
    <span key={name} className="block text-sm wrap-anywhere">
      <span className="text-ink-2">{name}:</span> <bdi>{text}</bdi>
    </span>
  ));
}
