import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense, useDeferredValue, useMemo } from "react";
import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";
import { certificatesQuery } from "../../api/certificate-queries.ts";
import { countOfAll } from "../../api/whole-list.ts";
import { isApiError } from "../../api/client.ts";
import { useChosenHost, useNamesHosts } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { AgentLostNotice } from "../../app/runtime-notice.tsx";
import { useTitle } from "../../app/use-title.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { DisplayMenu } from "../../lists/display-menu.tsx";
import { SavedViews } from "../../lists/saved-views-picker.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { applyFilter } from "../../entities/certificates/filter.ts";
import { isNarrowed } from "../../entities/certificates/search.ts";
import { ROWS_CLASS } from "../../lists/row-class.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";
import { GridTable } from "../../lists/grid-table.tsx";
import { CertificateRow, COLUMNS } from "../../entities/certificates/certificate-row.tsx";

const route = getRouteApi("/certificates");
const CreateDialog = lazy(() => import("./create-dialog.tsx").then((module) => ({ default: module.CreateDialog })));
const NONE: CertificateRecord[] = [];

/** All certificates, those that need somebody first, narrowed by what the address says. */
export function CertificatesPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const host = useChosenHost();
  const { data, error, isPending, refetch } = useQuery(certificatesQuery);
  // While the server is out of reach, the notice above the page says so.
  const hasFailed = error !== null && (data === undefined || !isApiError(error, "unreachable"));
  const shownFilter = useDeferredValue(filter);
  const all = data?.certificates ?? NONE;
  const shown = useMemo(() => applyFilter(all, { ...shownFilter, host }), [all, shownFilter, host]);
  useTitle(data === undefined ? "Certificates" : `Certificates (${formatCount(shown.length)})`);

  function openForm(create: "yes" | undefined): void {
    void navigate({ search: (search) => ({ ...search, create }), replace: create === undefined, resetScroll: false });
  }

  return (
    <Page>
      <PageHeader title="Certificates" note={data && countNote(shown, countOfAll(data, all.length))}>
        {(isPending || all.length > 0) && (
          <>
            <FilterBar certificates={all} />
            <SavedViews list="certificates" shown={filter} />
            <DisplayMenu />
          </>
        )}
        <Button kind="primary" className="max-sm:w-full" onClick={() => openForm("yes")}>
          <Plus size={16} aria-hidden /> Add certificate
        </Button>
      </PageHeader>
      <AgentLostNotice />
      {hasFailed && (
        <ErrorNote what="Could not load certificates." error={error} onRetry={() => void refetch()}>
          Monitoring continues.{data !== undefined && " The data below may be out of date."}
        </ErrorNote>
      )}
      {isPending && (
        <div className="mt-11">
          <SkeletonRows count={8} label="Loading certificates" />
        </div>
      )}
      {data !== undefined && all.length === 0 && <NoCertificates />}
      {all.length > 0 && shown.length === 0 && <NothingMatches total={all.length} />}
      {shown.length > 0 && <CertificateTable certificates={shown} />}
      {filter.create !== undefined && (
        <Suspense>
          <CreateDialog onClose={() => openForm(undefined)} />
        </Suspense>
      )}
    </Page>
  );
}

function countNote(shown: readonly CertificateRecord[], total: number): string {
  const wrong = shown.filter(({ status }) => status !== "valid" && status !== "unknown").length;
  const count = shown.length === total ? formatCount(total) : `${formatCount(shown.length)} of ${formatCount(total)}`;
  return wrong === 0 ? count : `${count}, ${formatCount(wrong)} ${wrong === 1 ? "needs" : "need"} attention`;
}

function NoCertificates() {
  return (
    <EmptyState title="No certificates yet">
      <p>
        Certificates of https endpoints appear here automatically, with days left and chain problems. Add others, such as those of mail
        servers, manually or with container labels:
      </p>
      <CommandLine command={'labels:\n  service.certificate.domain: mail.example.com\n  service.certificate.port: "993"'} />
    </EmptyState>
  );
}

function NothingMatches({ total }: { total: number }) {
  const narrowed = isNarrowed(route.useSearch());
  return (
    <EmptyState title="No results">
      <p>
        None of {countOf(total, "certificate")} {narrowed ? "matches the filters" : "is on this host"}.
      </p>
      <Link to="/certificates" search={narrowed ? {} : { agent_id: undefined }} className={buttonClass()}>
        {narrowed ? "Clear filters" : "Show all hosts"}
      </Link>
    </EmptyState>
  );
}

const TITLES = ["Host", "Status", "Days left", ["Issuer", "max-xl:hidden"], ["Source", "max-xl:hidden"]] as const;

/** The list of certificates. */
function CertificateTable({ certificates }: { certificates: readonly CertificateRecord[] }) {
  const withHost = useNamesHosts();

  useRowKeys();

  return (
    <GridTable
      label="Certificates"
      columns={COLUMNS}
      titles={TITLES}
      sticks
      rowCount={certificates.length}
      className="mt-3"
      rowsClass={ROWS_CLASS}
    >
      {certificates.map((certificate, index) => (
        <CertificateRow key={certificate.id} certificate={certificate} index={index} withHost={withHost} />
      ))}
    </GridTable>
  );
}
