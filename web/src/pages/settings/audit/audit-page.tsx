import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { AUDIT_FORMATS, AUDIT_OUTCOMES } from "../../../../../src/contract/audit.ts";
import { KEPT_DAYS } from "../../../../../src/contract/retention.ts";
import { auditExportUrl, auditQuery } from "../../../api/audit.ts";
import { useTitle } from "../../../app/use-title.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Select } from "../../../ui/select.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { SettingsFrame } from "../settings-frame.tsx";
import { AuditTable } from "./audit-table.tsx";
import { ACTOR_KINDS } from "../../../../../src/contract/audit.ts";
import type { AuditSearch } from "./search.ts";
import { ACTOR_WORDS, type AuditActor } from "./words.ts";

const route = getRouteApi("/settings/audit");
const CHOICES = ACTOR_KINDS.map((value) => ({ value, label: ACTOR_WORDS[value] }));

/** Who changed what, newest first, narrowed by what the address says. */
export function AuditPage() {
  const search = route.useSearch();
  const query = useInfiniteQuery(auditQuery(search));
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  useTitle("Audit log");
  return (
    <SettingsFrame wide>
      <p className="mt-4 max-w-[72ch] text-ink-2">
        Every change and every refused attempt, with who made it. Entries are kept for {KEPT_DAYS.auditRecords} days.
      </p>
      <Bar search={search} />
      {query.error !== null && <ErrorNote what="Could not load the audit log." error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <SkeletonRows count={10} label="Loading audit log" />}
      {query.data !== undefined && entries.length === 0 && (
        <EmptyState title={search.actor === undefined && search.outcome === undefined ? "No changes yet" : "No results"}>
          <p>Changes made here, through the API and by assistants appear here.</p>
        </EmptyState>
      )}
      {entries.length > 0 && <AuditTable entries={entries} />}
      {query.hasNextPage && (
        <Button className="mt-3" aria-disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older entries
        </Button>
      )}
    </SettingsFrame>
  );
}

function Bar({ search }: { search: AuditSearch }) {
  const navigate = route.useNavigate();
  const narrow = (change: AuditSearch): void => void navigate({ search: (current) => ({ ...current, ...change }), resetScroll: false });
  return (
    <div className="my-4 flex flex-wrap items-center gap-2">
      <Select<AuditActor | "any">
        label="Actor"
        value={search.actor ?? "any"}
        choices={[{ value: "any", label: "any" }, ...CHOICES]}
        onChange={(actor) => narrow({ actor: actor === "any" ? undefined : actor })}
      />
      <Select<(typeof AUDIT_OUTCOMES)[number] | "any">
        label="Outcome"
        value={search.outcome ?? "any"}
        choices={[{ value: "any", label: "any" }, ...AUDIT_OUTCOMES.map((outcome) => ({ value: outcome, label: outcome }))]}
        onChange={(outcome) => narrow({ outcome: outcome === "any" ? undefined : outcome })}
      />
      <span className="ml-auto flex gap-2 max-sm:ml-0">
        {AUDIT_FORMATS.map((format) => (
          <a key={format} href={auditExportUrl(search, format)} download className={buttonClass()}>
            <Download size={14} aria-hidden /> {format === "csv" ? "CSV" : "JSON lines"}
          </a>
        ))}
      </span>
    </div>
  );
}
