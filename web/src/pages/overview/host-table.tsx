import { useQuery } from "@tanstack/react-query";
import type { RuntimeStatusRecord } from "../../../../src/app/meta/api.ts";
import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import { runtimeStatusQuery } from "../../api/queries.ts";
import { LOCAL_HOST } from "../../app/host-id.ts";
import { runtimeName } from "../../format/runtime-name.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";

/** The hosts and how their runtimes are reached. */
export function HostTable({ containers }: { containers: readonly ContainerRecord[] }) {
  const { data } = useQuery(runtimeStatusQuery);
  const running = containers.filter(({ state }) => state === "running").length;
  return (
    <>
      <Table>
        <thead>
          <tr>
            <HeadCell>Host</HeadCell>
            <HeadCell>State</HeadCell>
            <HeadCell className="max-sm:hidden">Runtime</HeadCell>
            <HeadCell numeric>Running</HeadCell>
          </tr>
        </thead>
        <tbody>
          <tr>
            <Cell className="font-[550]">{LOCAL_HOST.name}</Cell>
            <Cell>{data === undefined ? <Skeleton className="h-3.5 w-24" /> : <Connection status={data} />}</Cell>
            <Cell className="text-ink-2 max-sm:hidden">{data !== undefined && tellRuntime(data)}</Cell>
            <Cell numeric>{running}</Cell>
          </tr>
        </tbody>
      </Table>
      {data?.missing.map((sentence) => (
        <p key={sentence} className="flex items-start gap-2 border-t border-line py-2 text-ink-2">
          <StatusIcon status="degraded" className="mt-1" />
          {sentence}
        </p>
      ))}
    </>
  );
}

function Connection({ status }: { status: RuntimeStatusRecord }) {
  return (
    <span className="flex items-center gap-2">
      <StatusIcon status={status.connected ? "ok" : "down"} />
      {status.connected ? "Connected" : "Not reachable"}
    </span>
  );
}

function tellRuntime({ runtime, version, api_version }: RuntimeStatusRecord): string {
  return [runtimeName(runtime), version, api_version === null ? null : `API ${api_version}`].filter((part) => part !== null).join(" · ");
}
