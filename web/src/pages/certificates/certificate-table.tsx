import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";
import { useNamesHosts } from "../../app/hosts.ts";
import { ROWS_CLASS } from "../../lists/row-class.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";
import { GridTable } from "../../lists/grid-table.tsx";
import { CertificateRow, COLUMNS } from "../../entities/certificates/certificate-row.tsx";

const TITLES = ["Host", "Status", "Days left", ["Issuer", "max-xl:hidden"], ["Source", "max-xl:hidden"]] as const;

/** The list of certificates. */
export function CertificateTable({ certificates }: { certificates: readonly CertificateRecord[] }) {
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
