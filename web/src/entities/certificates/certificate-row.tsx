import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";
import { SOURCE_WORDS, CERTIFICATE_WORDS } from "../../format/certificate-status.ts";
import { useIsUnseen } from "../../app/sight.ts";
import { lastKnown } from "../../format/last-known.ts";
import { HostName } from "../../app/host-name.tsx";
import { withLocalTimes } from "../../format/time.ts";
import { Changed } from "../../ui/changed.tsx";
import { classNames } from "../../ui/class-names.ts";
import { DaysLeft } from "../../ui/days-left.tsx";
import { Name } from "../../ui/name.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { addressOf, briefMessage } from "./address.ts";

/** The columns of the list, more of them the wider the screen; on a phone a row has two lines instead. */
export const COLUMNS =
  "grid items-center gap-x-4 md:grid-cols-[minmax(0,1.5fr)_minmax(0,1.5fr)_220px] xl:grid-cols-[minmax(0,1.6fr)_minmax(0,1.5fr)_220px_minmax(0,0.9fr)_120px]";

interface Properties {
  certificate: CertificateRecord;
  index: number;
  withHost?: boolean;
}

/** One certificate. It renders again only when its record is another one. */
export const CertificateRow = memo(function CertificateRow({ certificate, index, withHost = false }: Properties) {
  const current = CERTIFICATE_WORDS[certificate.status];
  const { status, word } = useIsUnseen()("certificate", certificate.agent_id) ? lastKnown(current) : current;
  const name = addressOf(certificate);
  const why = briefMessage(certificate);
  const words = why === null ? word : `${word} · ${withLocalTimes(why)}`;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classNames(
        COLUMNS,
        "relative h-(--row-narrow) grid-cols-[minmax(0,1fr)_auto] border-t border-line max-md:-mx-4 max-md:content-center max-md:gap-y-0.5 max-md:px-4 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent md:h-(--row) md:px-2.5",
      )}
    >
      <div role="cell" className="flex min-w-0 items-baseline gap-2">
        <Link
          to="/certificates/$id"
          params={{ id: certificate.id }}
          className="min-w-0 font-[550] outline-none after:absolute after:inset-0"
        >
          <Name>{name}</Name>
        </Link>
        {withHost && <HostName of={certificate} className="max-md:hidden" />}
      </div>
      <div role="cell" className="min-w-0 max-md:order-3 max-md:col-span-2 max-md:text-sm">
        <Changed value={words} className="flex min-w-0 items-center gap-2 max-md:w-full">
          <StatusIcon status={status} />
          <span dir="auto" title={words} className="truncate">
            {words}
          </span>
          {withHost && <HostName of={certificate} className="ml-auto pl-2 md:hidden" />}
        </Changed>
      </div>
      <div role="cell" className="min-w-0">
        <DaysLeft days={certificate.days_until_expiry} isLow={certificate.status === "expiring"} />
      </div>
      <div role="cell" className="text-ink-2 max-xl:hidden" title={certificate.issuer ?? undefined}>
        <Name>{certificate.issuer_org ?? certificate.issuer ?? "–"}</Name>
      </div>
      <div role="cell" className="truncate text-ink-2 max-xl:hidden">
        {SOURCE_WORDS[certificate.source]}
      </div>
    </div>
  );
});
