import { lazy, Suspense, useState } from "react";
import type { RuntimeStatusRecord } from "../../../../../src/app/meta/answers.ts";
import type { AgentRecord } from "../../../../../src/fleet/agents/answers.ts";
import type { HostRecord } from "../../../../../src/monitoring/resources/answers.ts";
import { Breadcrumb } from "../../../app/breadcrumb.tsx";
import { hostLabel } from "../../../app/host-id.ts";
import { Button } from "../../../ui/button.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { HostMarks } from "../host-marks.tsx";
import type { HostState } from "../../../entities/hosts/host-state.ts";
import { HostWord } from "../../../entities/hosts/host-word.tsx";
import { headline } from "./headline.ts";

const RenameDialog = lazy(() => import("./rename-dialog.tsx").then((module) => ({ default: module.RenameDialog })));
const RevokeDialog = lazy(() => import("./removal-dialogs.tsx").then((module) => ({ default: module.RevokeDialog })));
const DeleteDialog = lazy(() => import("./removal-dialogs.tsx").then((module) => ({ default: module.DeleteDialog })));

interface Properties {
  host: HostRecord;
  agent: AgentRecord | undefined;
  /** Of the local host. */
  runtime: RuntimeStatusRecord | undefined;
  state: HostState;
}

/** Which host it is, how it is reached and what that means, and what can be done. */
export function HostHeader({ host, agent, runtime, state }: Properties) {
  return (
    <header>
      <Breadcrumb to="/hosts">Hosts</Breadcrumb>
      <div className="mt-1 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h1 className="min-w-0 text-[19px] leading-[26px] font-[620] tracking-[-0.012em] wrap-anywhere sm:text-xl">
          <bdi>{hostLabel(host)}</bdi>
        </h1>
        <Changed value={state.word} className="inline-flex">
          <HostWord state={state} />
        </Changed>
        {agent !== undefined && <HostMarks agent={agent} />}
      </div>
      <p dir="auto" className="mt-1.5 min-h-5 max-w-[100ch] wrap-anywhere">
        {headline({ isLocal: host.agent_id === null, runtime, agent })}
      </p>
      {agent !== undefined && <Actions agent={agent} />}
    </header>
  );
}

function Actions({ agent }: { agent: AgentRecord }) {
  const [open, setOpen] = useState<"rename" | "revoke" | "delete" | undefined>(undefined);
  const close = (): void => setOpen(undefined);
  return (
    <>
      <div className="mt-3 flex min-h-8 flex-wrap items-center gap-2">
        <Button onClick={() => setOpen("rename")}>Rename</Button>
        {agent.status === "active" && (
          <Button kind="danger" onClick={() => setOpen("revoke")}>
            Revoke
          </Button>
        )}
        <Button kind="danger" onClick={() => setOpen("delete")}>
          Delete
        </Button>
      </div>
      <Suspense>
        {open === "rename" && <RenameDialog agent={agent} onClose={close} />}
        {open === "revoke" && <RevokeDialog agent={agent} onClose={close} />}
        {open === "delete" && <DeleteDialog agent={agent} onClose={close} />}
      </Suspense>
    </>
  );
}
