import { useRef } from "react";
import type { CertificateRecord } from "../../../../src/monitoring/certificates/api.ts";
import { useNamesHosts } from "../../app/hosts.ts";
import { useHotkeys } from "../../app/hotkeys.ts";
import { classNames } from "../../ui/class-names.ts";
import { CertificateRow, COLUMNS } from "../../entities/certificates/certificate-row.tsx";

/** The list of certificates. */
export function CertificateTable({ certificates }: { certificates: readonly CertificateRecord[] }) {
  const body = useRef<HTMLDivElement>(null);
  const withHost = useNamesHosts();

  function move(step: 1 | -1): void {
    const focused = document.activeElement?.getAttribute("data-row");
    const from = focused === null || focused === undefined ? (step === 1 ? -1 : certificates.length) : Number(focused);
    const index = Math.min(Math.max(from + step, 0), certificates.length - 1);
    body.current?.querySelector<HTMLElement>(`[data-row="${index}"]`)?.focus();
  }

  useHotkeys({ j: () => move(1), k: () => move(-1) });

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
      <div role="rowgroup" ref={body} className="border-b border-line">
        {certificates.map((certificate, index) => (
          <CertificateRow key={certificate.id} certificate={certificate} index={index} withHost={withHost} />
        ))}
      </div>
    </div>
  );
}
