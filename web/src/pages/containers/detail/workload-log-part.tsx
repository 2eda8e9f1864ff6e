import { useQuery } from "@tanstack/react-query";
import type { ContainerRecord } from "../../../../../src/monitoring/containers/api.ts";
import { workloadQuery } from "../../../api/kubernetes.ts";
import { Select } from "../../../ui/select.tsx";

const RUNS = [
  { value: "current", label: "current" },
  { value: "previous", label: "before the last restart" },
] as const;

interface Properties {
  workload: Pick<ContainerRecord, "external_id">;
  container: string | undefined;
  run: "previous" | undefined;
  onChange: (part: { container: string | undefined; run: "previous" | undefined }) => void;
}

/** Chooses what is read of the log of a workload's pods. */
export function WorkloadLogPart({ workload, container, run, onChange }: Properties) {
  const { data } = useQuery(workloadQuery(workload.external_id));
  const names = new Set([...(data?.containers ?? []).map(({ name }) => name), ...(container === undefined ? [] : [container])]);
  return (
    <div className="flex flex-wrap gap-2 pt-3">
      {names.size > 1 && (
        <Select
          label="Container"
          value={container ?? ""}
          choices={[{ value: "", label: "all but init" }, ...[...names].map((name) => ({ value: name, label: name }))]}
          onChange={(chosen) => onChange({ container: chosen === "" ? undefined : chosen, run })}
        />
      )}
      <Select
        label="Run"
        value={run ?? "current"}
        choices={RUNS}
        onChange={(chosen) => onChange({ container, run: chosen === "previous" ? chosen : undefined })}
      />
    </div>
  );
}
