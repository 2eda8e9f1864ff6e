import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";
import { useNamesHosts } from "../../app/hosts.ts";
import { ROWS_CLASS } from "../../lists/row-class.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";
import { classNames } from "../../ui/class-names.ts";
import { CertificateRow, COLUMNS } from "../../entities/certificates/certificate-row.tsx";

/** The list of certificates. */
export function CertificateTable({ certificates }: { certificates: readonly CertificateRecord[] }) {
  const withHost = useNamesHosts();

  useRowKeys();

  return (
    <div role="table" aria-label="Certificates" aria-rowcount={certificates.length + 1} className="mt-3">
      <div role="rowgroup" className="sticky top-13 z-10 bg-bg max-md:sr-only">
        <div role="row" aria-rowindex={1} className={classNames(COLUMNS, "h-8 px-2.5 text-xs font-medium text-ink-3")}>
          <span role="columnheader">Host</span>
          <span role="columnheader">Status</span>
          <span role="columnheader">Days left</span>
          <span role="columnheader" className="max-xl:hidden">
            Issuer
          </span>
          <span role="columnheader" className="max-xl:hidden">
            Source
          </span>
        </div>
      </div>
      <div role="rowgroup" className={ROWS_CLASS}>
        {certificates.map((certificate, index) => (
          <CertificateRow key={certificate.id} certificate={certificate} index={index} withHost={withHost} />
        ))}
      </div>
    </div>
  );
}
