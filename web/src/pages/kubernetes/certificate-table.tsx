import { DAY_MS } from "../../../../src/contract/time.ts";
import type { CertificateRecord } from "../../../../src/monitoring/kubernetes/api.ts";
import { GridTable } from "../../lists/grid-table.tsx";
import { classNames } from "../../ui/class-names.ts";
import { DaysLeft } from "../../ui/days-left.tsx";
import { Name } from "../../ui/name.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { useNow } from "../../ui/ticker.tsx";
import { useFirst } from "./show-more.tsx";

const FIRST = 200;
const COLUMNS =
  "grid gap-x-4 gap-y-0.5 grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,0.8fr)_152px] md:items-center";
const TITLES = ["Secret", "Names", "Issuer", "Expires"];

/** The TLS Secrets of a cluster: for which names, by whom, how long still, and what is wrong with the chain. */
export function CertificateTable({ certificates }: { certificates: readonly CertificateRecord[] }) {
  const { shown, more } = useFirst(certificates, FIRST, "Secret");
  return (
    <>
      <GridTable label="TLS certificates" columns={COLUMNS} titles={TITLES}>
        {shown.map((certificate) => (
          <CertificateRow key={certificate.id} certificate={certificate} />
        ))}
      </GridTable>
      {more}
    </>
  );
}

function CertificateRow({ certificate }: { certificate: CertificateRecord }) {
  const { namespace, name, subject, sans, issuer, expires_at: expiresAt, chain_error: chainError, problems } = certificate;
  const days = useNow((nowMs) => String(Math.floor((Date.parse(expiresAt) - nowMs) / DAY_MS)));
  return (
    <div role="row" className={classNames(COLUMNS, "min-h-9 border-t border-line py-1.5")}>
      <div role="cell" className="min-w-0 font-[550]">
        <Name>{`${namespace}/${name}`}</Name>
      </div>
      <div role="cell" className="min-w-0 text-ink-2 max-md:order-3 max-md:col-span-2 max-md:text-sm">
        <Name>{sans.join(", ") || subject}</Name>
        {chainError !== null && (
          <span className="flex items-baseline gap-1.5 text-sm text-ink">
            <StatusIcon status="degraded" size={10} />
            <span className="wrap-anywhere">{chainError}</span>
          </span>
        )}
      </div>
      <div role="cell" className="min-w-0 text-ink-2 max-md:hidden">
        <Name>{issuer}</Name>
      </div>
      <div role="cell">
        <DaysLeft days={Number(days)} isLow={problems.length > 0} />
      </div>
    </div>
  );
}
