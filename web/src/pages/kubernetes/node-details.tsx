import { Link } from "@tanstack/react-router";
import type { NodeRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import { formatBytes } from "../../format/bytes.ts";
import { formatCores } from "../../format/cores.ts";
import { skewWords } from "../../format/kubernetes-status.ts";
import { countOf } from "../../format/number.ts";
import { Age } from "../../ui/age.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";
import { taintText } from "./node-filter.ts";

/** All that is known of a node. */
export function NodeDetails({ node }: { node: NodeRecord }) {
  const skew = skewWords(node);
  return (
    <div className="grid items-start gap-x-10 gap-y-2 pb-4 pl-5 md:px-7 lg:grid-cols-2">
      <div className="min-w-0">
        <Facts>
          {node.problems.length > 0 && (
            <Fact name="Problems">
              {node.problems.map(({ alert, message, cause }) => (
                <p key={alert}>
                  {message} {cause !== null && <span className="text-ink-2">{cause}</span>}
                </p>
              ))}
            </Fact>
          )}
          <Fact name="Pods">
            <Link to="/kubernetes/pods" search={{ node: node.name }} className="underline underline-offset-2 hover:text-ink">
              {countOf(node.pods, "pod")}
            </Link>
            {" · "}
            <Link to="/kubernetes" search={{ node: node.name }} className="underline underline-offset-2 hover:text-ink">
              Workloads on it
            </Link>
          </Fact>
          <Fact name="Taints">
            {node.taints.length === 0 ? "None" : node.taints.map((taint) => <p key={taintText(taint)}>{taintText(taint)}</p>)}
          </Fact>
          <Fact name="Kubelet">
            {node.kubelet_version ?? "not known"}
            {skew !== undefined && <span className="text-ink-2"> · {skew}</span>}
          </Fact>
          <Fact name="System">{[node.os_image, node.container_runtime].filter((part) => part !== null).join(" · ") || "not known"}</Fact>
        </Facts>
        <Amounts node={node} />
      </div>
      <Conditions conditions={node.conditions} />
    </div>
  );
}

function Amounts({ node: { capacity, allocatable, requests, limits, usage } }: { node: NodeRecord }) {
  const rows = [
    { name: "Capacity", ...capacity },
    { name: "Allocatable", ...allocatable },
    { name: "Requested", ...requests },
    { name: "Limits", ...limits },
    { name: "Used", cpu_cores: usage?.cpu_cores ?? null, memory_bytes: usage?.memory_bytes ?? null },
  ];
  return (
    <Table aria-label="Amounts">
      <thead>
        <tr>
          <HeadCell>
            <span className="sr-only">What</span>
          </HeadCell>
          <HeadCell numeric>CPU</HeadCell>
          <HeadCell numeric>Memory</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cpu_cores: cores, memory_bytes: bytes }) => (
          <tr key={name}>
            <Cell className="text-ink-2">{name}</Cell>
            <Cell numeric>{formatCores(cores)}</Cell>
            <Cell numeric>{formatBytes(bytes)}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Conditions({ conditions }: { conditions: NodeRecord["conditions"] }) {
  return (
    <Table aria-label="Conditions">
      <thead>
        <tr>
          <HeadCell>Condition</HeadCell>
          <HeadCell>Reason</HeadCell>
          <HeadCell numeric>Since</HeadCell>
        </tr>
      </thead>
      <tbody>
        {conditions.map(({ type, status, reason, message, since }) => {
          const isWell = status === (type === "Ready" ? "True" : "False");
          return (
            <tr key={type}>
              <Cell className="whitespace-nowrap">
                <span className="inline-flex items-center gap-2">
                  <StatusIcon status={isWell ? "ok" : status === "Unknown" ? "idle" : type === "Ready" ? "down" : "degraded"} />
                  {type}: {status}
                </span>
              </Cell>
              <Cell className="w-full max-w-0 truncate text-ink-2" title={message ?? undefined}>
                {reason ?? message ?? "–"}
              </Cell>
              <Cell numeric className="text-ink-2">
                {since === null ? "–" : <Age at={since} />}
              </Cell>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
