import type { ReactNode } from "react";
import type { Attention } from "../src/entities/attention/attention.ts";
import { AttentionRow } from "../src/entities/attention/attention-row.tsx";
import { alertRecord } from "../src/entities/alerts/record.fixture.ts";
import { CertificateRow } from "../src/entities/certificates/certificate-row.tsx";
import { certificateRecord } from "../src/entities/certificates/record.fixture.ts";
import { EndpointRow } from "../src/entities/endpoints/endpoint-row.tsx";
import { endpointRecord } from "../src/entities/endpoints/record.fixture.ts";
import { HostWord } from "../src/entities/hosts/host-word.tsx";
import { FindingRow } from "../src/entities/security/finding-row.tsx";
import { Score } from "../src/entities/security/score.tsx";
import { Cell, HeadCell, Table } from "../src/ui/table.tsx";
import { ARABIC, ignore, LONG, MARKUP, minutesAgo, RIGHT_TO_LEFT, wave } from "./samples.ts";
import { Shelf, Specimen } from "./specimen.tsx";

const SINCE = minutesAgo(42);
const LINE = wave(20, { from: 20, to: 90 });
const DOWN = {
  status: "down" as const,
  last_failure_class: "http" as const,
  last_http_status: 503,
  last_error: "status 503, expected 2xx",
  alerting: true,
};

const ENDPOINTS = [
  endpointRecord({ id: 1, status_since: SINCE }),
  endpointRecord({ id: 2, name: LONG, target: `https://${LONG}.example.com/`, ...DOWN, last_error: LONG, status_since: SINCE }),
  endpointRecord({ id: 3, name: RIGHT_TO_LEFT, ...DOWN, status_since: SINCE }),
  endpointRecord({
    id: 4,
    name: MARKUP,
    paused: true,
    active: false,
    inactive_since: SINCE,
    uptime_24h: null,
    last_response_time_ms: null,
    status_since: SINCE,
  }),
];
const CERTIFICATES = [
  certificateRecord({ id: 1 }),
  certificateRecord({ id: 2, status: "expiring", days_until_expiry: 5, domain: `${LONG}.example.com`, message: LONG }),
  certificateRecord({ id: 3, status: "expired", days_until_expiry: -3, issuer_org: ARABIC }),
];
const ATTENTION: readonly Attention[] = [
  attentionOf({ id: "1", name: "shop-payments", alert: alertRecord({ id: 1, fired_at: SINCE }) }),
  attentionOf({ id: "2", name: LONG, status: "degraded", impact: "degraded", why: LONG }),
  attentionOf({
    id: "3",
    name: RIGHT_TO_LEFT,
    why: ARABIC,
    isSettled: true,
    folded: [{ kind: "dependents", list: [attentionOf({ id: "4", name: "shop" })] }],
  }),
];
const INSIGHT = {
  id: "1",
  type: "database_port_exposed",
  severity: "critical",
  title: "Database port exposed on all interfaces",
  what: "Port 5432 of shop-database is open on every interface.",
  why: "Anyone who reaches this host can try passwords.",
  fix: "Bind it to 127.0.0.1.",
  snippet: 'ports: ["127.0.0.1:5432:5432"]',
  container_id: 1,
  container_name: "shop-database",
  agent_id: null,
  since: SINCE,
  acknowledgment: null,
};
const ACKNOWLEDGED = { id: 1, acknowledged_by: RIGHT_TO_LEFT, acknowledged_at: SINCE, reason: LONG, carried_over: true };
const doing = { acknowledge: ignore, silence: ignore };

function attentionOf(parts: Partial<Attention>): Attention {
  return {
    ...{
      type: "container",
      id: "1",
      name: "shop",
      status: "down",
      impact: "outage",
      what: "is crash-looping",
      why: "exit 137, OOM killed",
    },
    ...{ where: "container, shop", agentId: null, since: SINCE, isSettled: false },
    ...parts,
  };
}

/** Rows that several pages share. */
export function RowShelves() {
  return (
    <>
      <Shelf title="Attention rows">
        <ul>
          {ATTENTION.map((attention) => (
            <AttentionRow key={attention.id} attention={attention} withHost contexts={new Map()} doing={doing} />
          ))}
        </ul>
      </Shelf>
      <Shelf title="Endpoint rows">
        <Rows label="Sample endpoints">
          {ENDPOINTS.map((endpoint, index) => (
            <div key={endpoint.id} className="h-(--row-narrow) md:h-(--row)">
              <EndpointRow {...{ endpoint, index }} points={index === 3 ? undefined : LINE} withBars={false} withHost={index === 1} />
            </div>
          ))}
        </Rows>
      </Shelf>
      <Shelf title="Certificate rows">
        <Rows label="Sample certificates">
          {CERTIFICATES.map((certificate, index) => (
            <CertificateRow key={certificate.id} {...{ certificate, index }} withHost={index === 1} />
          ))}
        </Rows>
      </Shelf>
      <Shelf title="Findings and score">
        <Score
          score={72}
          grade="C"
          categories={[
            { name: "network", score: 40, weight: 40, critical: 1, high: 2, medium: 0, acknowledged: 0, findings: 3 } as never,
            { name: "updates", score: 98, weight: 20, critical: 0, high: 0, medium: 0, acknowledged: 1, findings: 1 } as never,
          ]}
        />
        <ul className="mt-4">
          <FindingRow
            insight={INSIGHT as never}
            withContainer
            withHost={false}
            onAcknowledge={ignore}
            onSelect={ignore}
            isSelected={false}
            isOnItsWay={false}
          />
          <FindingRow
            insight={{ ...INSIGHT, severity: "high", title: LONG, container_name: LONG } as never}
            withContainer
            withHost
            onAcknowledge={ignore}
            onSelect={ignore}
            isSelected={false}
            isOnItsWay={false}
          />
          <FindingRow
            insight={{ ...INSIGHT, severity: "medium", acknowledgment: ACKNOWLEDGED } as never}
            withContainer={false}
            withHost={false}
            onAcknowledge={ignore}
            onSelect={ignore}
            isSelected={false}
            isOnItsWay={false}
          />
        </ul>
      </Shelf>
      <TableShelf />
    </>
  );
}

function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="table" aria-label={label}>
      <div role="rowgroup">{children}</div>
    </div>
  );
}

function TableShelf() {
  return (
    <Shelf title="Plain table">
      <Specimen state="Short, long and right-to-left names">
        <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Plain table">
          <Table>
            <thead>
              <tr>
                <HeadCell>Host</HeadCell>
                <HeadCell>State</HeadCell>
                <HeadCell numeric>Containers</HeadCell>
              </tr>
            </thead>
            <tbody>
              {["nas", RIGHT_TO_LEFT, ARABIC].map((name, index) => (
                <tr key={name}>
                  <Cell>
                    <bdi>{name}</bdi>
                  </Cell>
                  <Cell>
                    <HostWord
                      state={{
                        status: index === 0 ? "ok" : "down",
                        word: index === 0 ? "Connected" : "Disconnected",
                        since: index === 0 ? null : SINCE,
                      }}
                    />
                  </Cell>
                  <Cell numeric>{(index + 1) * 412}</Cell>
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      </Specimen>
    </Shelf>
  );
}
