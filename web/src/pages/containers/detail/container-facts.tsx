import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ContainerRecord } from "../../../../../src/monitoring/containers/api.ts";
import { explainExitCode } from "../../../format/exit-code.ts";
import { countOf } from "../../../format/number.ts";
import { formatPorts } from "../../../format/ports.ts";
import { Age } from "../../../ui/age.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";

/** What is known of a container, in two columns: what it is, and how it runs. */
export function ContainerFacts({ container }: { container: ContainerRecord }) {
  const isWorkload = container.runtime === "kubernetes";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
      <Facts>
        <Fact name="Image">
          <bdi>{container.image}</bdi>
        </Fact>
        <Fact name="Digest">
          <Identifier whole={container.image_digest} short={container.image_digest?.replace("sha256:", "").slice(0, 12)} name="digest" />
        </Fact>
        <Fact name={isWorkload ? "UID" : "Container ID"}>
          <Identifier whole={container.external_id} short={container.external_id.slice(0, 12)} name="container ID" />
        </Fact>
        <Fact name="Group">
          <Link to="/containers" search={{ group: container.group }} className="underline decoration-line-strong hover:decoration-current">
            <bdi>{container.group}</bdi>
          </Link>
          <span className="text-ink-2"> {GROUP_SOURCES[container.group_source]}</span>
        </Fact>
        {container.unit !== null && (
          <Fact name={isWorkload ? "Workload" : "Service"}>
            <Unit container={container} unit={container.unit} />
          </Fact>
        )}
        <Fact name="Runtime">{RUNTIMES[container.runtime]}</Fact>
        <Fact name="Alerts">
          {container.alert_severity}
          <span className="text-ink-2">
            {container.alert_channels.length === 0 ? ", via routing rules" : `, to ${container.alert_channels.join(", ")}`}
          </span>
        </Fact>
      </Facts>
      <Facts>
        <Fact name="Created">
          <Moment at={container.created_at} />
        </Fact>
        {container.recreated_at !== null && (
          <Fact name="Re-created">
            <span className="tabular-nums">{countOf(container.generation - 1, "time")}</span>
            <span className="text-ink-2">
              , last <Age at={container.recreated_at} form="ago" />
            </span>
          </Fact>
        )}
        <Fact name="Started">
          <Moment at={container.started_at} />
        </Fact>
        {container.state !== "running" && (
          <Fact name="Exited">
            <Moment at={container.finished_at} />
          </Fact>
        )}
        <Fact name="Exit code">{exitCode(container)}</Fact>
        <Fact name="Restarts">
          <span className="tabular-nums">{countOf(container.restart_count, "time")}</span>
          <span className="text-ink-2">
            {isWorkload
              ? " in all, of the containers in its pods"
              : ` by restart policy; ${countOf(container.restart_threshold, "unexpected restart")} in 10 min fire an alert`}
          </span>
        </Fact>
        <Fact name="Ports">
          <Ports ports={container.ports} />
        </Fact>
        {(!isWorkload || container.network_mode !== null) && (
          <Fact name="Network">
            {container.network_mode === null ? <Unknown /> : <bdi>{container.network_mode}</bdi>}
            {container.network_mode === "host" && <Caution>host network mode</Caution>}
          </Fact>
        )}
        <Fact name="Privileged">{container.privileged ? <Caution>yes: full access to the host</Caution> : "no"}</Fact>
      </Facts>
    </div>
  );
}

const GROUP_SOURCES: Record<ContainerRecord["group_source"], string> = {
  label: "from label service.group",
  compose: "from the Compose project",
  stack: "from the stack",
  namespace: "from the namespace",
  default: "default group",
};

const RUNTIMES: Record<ContainerRecord["runtime"], string> = { docker: "Docker", swarm: "Docker Swarm", kubernetes: "Kubernetes" };

/** What the container is of, and the way to its own page where it has one. */
function Unit({ container, unit }: { container: ContainerRecord; unit: string }) {
  if (container.runtime !== "kubernetes") return <bdi>{unit}</bdi>;
  return (
    <Link
      to="/kubernetes/workloads/$id"
      params={{ id: container.external_id }}
      className="underline decoration-line-strong hover:decoration-current"
    >
      <bdi>{unit}</bdi>
    </Link>
  );
}

function Identifier({ whole, short, name }: { whole: string | null; short: string | undefined; name: string }) {
  if (whole === null) return <Unknown />;
  return (
    <span className="-my-2 inline-flex items-center gap-1 align-middle">
      <code title={whole} className="font-mono text-xs">
        {short}
      </code>
      <CopyButton text={whole} label={`Copy ${name}`} />
    </span>
  );
}

function Moment({ at }: { at: string | null }) {
  if (at === null) return <span className="text-ink-2">never</span>;
  return (
    <>
      <Timestamp at={at} />
      <span className="text-ink-2">
        , <Age at={at} form="ago" />
      </span>
    </>
  );
}

function exitCode({ exit_code, oom_killed, stop_requested, state }: ContainerRecord): ReactNode {
  if (exit_code === null) return <span className="text-ink-2">Never exited</span>;
  const reason = oom_killed ? "OOM killed" : stop_requested ? "stopped by request" : explainExitCode(exit_code);
  const meaning = exit_code === 0 && !oom_killed && !stop_requested ? "success" : (reason ?? "set by the application");
  return (
    <>
      <span className="tabular-nums">{exit_code}</span>
      <span className="text-ink-2">
        {" "}
        ({state === "running" ? "last exit; " : ""}
        {meaning})
      </span>
    </>
  );
}

/** Which address a browser could reach is not known here, so that a published port is text to copy, not a link. */
function Ports({ ports }: { ports: ContainerRecord["ports"] }) {
  const listed = formatPorts(ports);
  const published = ports.find((port) => port.host_port !== null && port.protocol === "tcp");
  if (listed.length === 0) return <span className="text-ink-2">none</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <span className="tabular-nums">{listed.join(", ")}</span>
      {published?.host_port !== undefined && published.host_port !== null && (
        <span className="-my-2">
          <CopyButton
            text={addressOf(published.host_ip, published.host_port)}
            label={`Copy ${addressOf(published.host_ip, published.host_port)}`}
          />
        </span>
      )}
    </span>
  );
}

function addressOf(hostIp: string | null, hostPort: number): string {
  const isEverywhere = hostIp === null || hostIp === "" || hostIp === "0.0.0.0" || hostIp === "::";
  const host = isEverywhere ? location.hostname : hostIp.includes(":") ? `[${hostIp}]` : hostIp;
  return `http://${host}:${hostPort}`;
}

function Caution({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-baseline gap-1.5 text-degraded">
      {" "}
      <StatusIcon status="degraded" size={10} />
      {children}
    </span>
  );
}

function Unknown() {
  return <span className="text-ink-2">unknown</span>;
}
