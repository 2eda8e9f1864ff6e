import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";
import type { EndpointRecord } from "../../../../src/monitoring/endpoints/answers.ts";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import { endpointSparklinesQuery } from "../../api/endpoint-queries.ts";
import { useIsUnseen } from "../../app/sight.ts";
import { lastKnown } from "../../format/last-known.ts";
import { Sparkline } from "../../charts/sparkline.tsx";
import { CERTIFICATE_WORDS } from "../../format/certificate-status.ts";
import { shownEndpointStatus } from "../../format/endpoint-status.ts";
import { heartbeatStatus } from "../../format/heartbeat-status.ts";
import { formatMilliseconds } from "../../format/milliseconds.ts";
import { formatCount } from "../../format/number.ts";
import { Age } from "../../ui/age.tsx";
import { classNames } from "../../ui/class-names.ts";
import { DaysLeft } from "../../ui/days-left.tsx";
import { EntityLink } from "../../ui/entity-link.tsx";
import { Name } from "../../ui/name.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { StatusWord } from "../../ui/status-word.tsx";
import { addressOf } from "../../entities/certificates/address.ts";
import { sparkTop } from "../../entities/endpoints/spark-top.ts";
import { ExpectedTime } from "../../entities/heartbeats/expected-time.tsx";
import { bySlowest, bySoonestEnd, bySoonestExpected } from "./order.ts";

/** More than this many are better read in their list. */
const SHOWN = 6;
const NO_POINTS: readonly null[] = [];

/** Endpoints: those that fail, then the slowest, each with its last response times. */
export function EndpointSection({ endpoints }: { endpoints: readonly EndpointRecord[] }) {
  const { data: lines } = useQuery(endpointSparklinesQuery);
  const isUnseen = useIsUnseen();
  if (endpoints.length === 0) return null;
  return (
    <Section title="Endpoints" aside={<All to="/endpoints" count={endpoints.length} what="endpoints" />}>
      <ul>
        {bySlowest(endpoints)
          .slice(0, SHOWN)
          .map((endpoint) => {
            const points = lines?.endpoints[endpoint.id]?.points ?? NO_POINTS;
            return (
              <Row key={endpoint.id} type="endpoint" id={endpoint.id} name={endpoint.name}>
                <StatusWord
                  status={shownEndpointStatus(endpoint, isUnseen("endpoint", endpoint.agent_id))}
                  className="max-sm:order-3 max-sm:col-span-2 max-sm:text-sm"
                />
                <span className="flex items-center justify-end gap-3 [&>svg]:text-ink-3">
                  <Sparkline values={points} max={sparkTop(points)} width={72} height={20} />
                  <span className="w-16 text-right tabular-nums max-sm:w-14 max-sm:text-xs">
                    {formatMilliseconds(endpoint.last_response_time_ms)}
                  </span>
                </span>
              </Row>
            );
          })}
      </ul>
    </Section>
  );
}

/** Heartbeats: those that are late or failed, then those that are expected next. */
export function HeartbeatSection({ heartbeats }: { heartbeats: readonly HeartbeatRecord[] }) {
  if (heartbeats.length === 0) return null;
  return (
    <Section title="Heartbeats" aside={<All to="/heartbeats" count={heartbeats.length} what="heartbeats" />}>
      <ul>
        {bySoonestExpected(heartbeats)
          .slice(0, SHOWN)
          .map((record) => (
            <Row key={record.id} type="heartbeat" id={record.id} name={record.name}>
              <StatusWord status={heartbeatStatus(record)} withAge className="max-sm:order-3 max-sm:col-span-2 max-sm:text-sm" />
              <span className="text-right whitespace-nowrap text-ink-2 max-sm:text-xs">
                <NextOrLast record={record} />
              </span>
            </Row>
          ))}
      </ul>
    </Section>
  );
}

function NextOrLast({ record }: { record: HeartbeatRecord }) {
  if (record.next_expected_at !== null)
    return (
      <>
        next <ExpectedTime record={{ ...record, cron: null }} />
      </>
    );
  if (record.last_ping_at === null) return "no ping yet";
  return (
    <>
      last ping <Age at={record.last_ping_at} form="ago" />
    </>
  );
}

/** Certificates by what is left of them, the soonest end first. */
export function CertificateSection({ certificates }: { certificates: readonly CertificateRecord[] }) {
  const isUnseen = useIsUnseen();
  if (certificates.length === 0) return null;
  return (
    <Section title="Certificates" aside={<All to="/certificates" count={certificates.length} what="certificates" />}>
      <ul>
        {bySoonestEnd(certificates)
          .slice(0, SHOWN)
          .map((certificate) => {
            const current = CERTIFICATE_WORDS[certificate.status];
            const { status, word } = isUnseen("certificate", certificate.agent_id) ? lastKnown(current) : current;
            return (
              <Row key={certificate.id} type="certificate" id={certificate.id} name={addressOf(certificate)}>
                <span className="inline-flex min-w-0 items-center gap-2 max-sm:order-3 max-sm:col-span-2 max-sm:text-sm">
                  <StatusIcon status={status} />
                  {word}
                </span>
                <DaysLeft days={certificate.days_until_expiry} isLow={certificate.status === "expiring"} className="justify-end" />
              </Row>
            );
          })}
      </ul>
    </Section>
  );
}

/** As wide in every line of a section, so that its columns stand under each other. */
const COLUMNS = {
  endpoint: "sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_152px]",
  heartbeat: "sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_136px]",
  certificate: "sm:grid-cols-[minmax(0,1fr)_88px_228px]",
} as const;

/** One line that leads to the page of what it names. */
function Row({ type, id, name, children }: { type: keyof typeof COLUMNS; id: number; name: string; children: ReactNode }) {
  return (
    <li
      className={classNames(
        "relative grid min-h-(--row) grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-t border-line first:border-t-0 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent max-sm:py-2",
        COLUMNS[type],
      )}
    >
      <EntityLink type={type} id={String(id)} className="min-w-0 font-[550] outline-none after:absolute after:inset-0">
        <Name>{name}</Name>
      </EntityLink>
      {children}
    </li>
  );
}

function All({ to, count, what }: { to: "/endpoints" | "/heartbeats" | "/certificates"; count: number; what: string }) {
  return (
    <Link to={to} className="tabular-nums hover:text-ink hover:underline">
      {count > SHOWN ? `All ${formatCount(count)} ${what}` : `All ${what}`}
    </Link>
  );
}
