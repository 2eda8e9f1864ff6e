import { useQuery } from "@tanstack/react-query";
import type { StorageUse } from "../../../../src/app/meta/answers.ts";
import { storageQuery } from "../../api/queries.ts";
import { formatBytes, formatRoundBytes } from "../../format/bytes.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Meter } from "../../ui/meter.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";
import { KIND_WORDS, backupWords, forecastWords, growthWords, retentionWords } from "./storage-words.ts";

/** What the database holds, for how long, and what it will. */
export function StorageSection() {
  const { data, error, refetch } = useQuery(storageQuery);
  return (
    <Section title="Storage">
      {error !== null && <ErrorNote what="Could not load storage usage." error={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <SkeletonRows count={6} label="Loading storage usage" /> : <Known use={data} />}
    </Section>
  );
}

function Backups({ backups }: Pick<StorageUse, "backups">) {
  if (backups === null) return <span className="text-ink-2">No automatic backups (set SERVICE_BACKUP_DIR or SERVICE_BACKUP_S3)</span>;
  const { last, error } = backups;
  return (
    <span className="flex flex-col">
      {last === null ? (
        "None yet"
      ) : (
        <span>
          Last <Timestamp at={last.taken_at} precision="minute" />, {formatBytes(last.bytes)}, verified by a trial restore{" "}
          <Timestamp at={last.verified_at} precision="minute" />
        </span>
      )}
      <span className="text-ink-2">{backupWords(backups)}</span>
      {error !== null && (
        <span dir="auto" className="wrap-anywhere text-down">
          The last attempt failed: {error}
        </span>
      )}
    </span>
  );
}

function Known({ use }: { use: StorageUse }) {
  return (
    <>
      <Facts>
        <Fact name="In use">
          {use.limit_bytes === null ? (
            <>
              {formatBytes(use.bytes)} <span className="text-ink-2">· no limit is set (SERVICE_MAX_DB_BYTES)</span>
            </>
          ) : (
            <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
              {formatBytes(use.bytes)} of at most {formatRoundBytes(use.limit_bytes)}
              <Meter percent={Math.min(100, (use.bytes / use.limit_bytes) * 100)} />
            </span>
          )}
        </Fact>
        <Fact name="Growth">{growthWords(use)}</Fact>
        <Fact name="Forecast">{forecastWords(use)}</Fact>
        <Fact name="Backups">
          <Backups backups={use.backups} />
        </Fact>
        <Fact name="Oldest record">{use.oldest === null ? "None yet" : <Timestamp at={use.oldest} precision="minute" />}</Fact>
      </Facts>
      <Table className="mt-2">
        <thead>
          <tr>
            <HeadCell>What</HeadCell>
            <HeadCell className="max-sm:hidden">Kept for</HeadCell>
            <HeadCell className="max-sm:hidden">Since</HeadCell>
            <HeadCell numeric>Size</HeadCell>
          </tr>
        </thead>
        <tbody>
          {use.kinds.map((kind) => (
            <tr key={kind.kind}>
              <Cell className="max-sm:py-1.5">
                {KIND_WORDS[kind.kind]}
                {kind.kept_seconds !== null && (
                  <span className="block text-xs text-ink-2 sm:hidden">kept {retentionWords(kind.kept_seconds)}</span>
                )}
              </Cell>
              <Cell className="text-ink-2 max-sm:hidden">{kind.kept_seconds === null ? "" : retentionWords(kind.kept_seconds)}</Cell>
              <Cell className="text-ink-2 max-sm:hidden">{kind.oldest !== null && <Timestamp at={kind.oldest} precision="minute" />}</Cell>
              <Cell numeric className="whitespace-nowrap">
                {formatBytes(kind.bytes)}
              </Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
