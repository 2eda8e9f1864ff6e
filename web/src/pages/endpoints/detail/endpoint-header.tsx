import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { EndpointDetail } from "../../../../../src/monitoring/endpoints/answers.ts";
import { checkEndpointNow, deleteEndpoint, endpointQuery, setEndpointPaused } from "../../../api/endpoint-queries.ts";
import { shownEndpointStatus } from "../../../format/endpoint-status.ts";
import { useLostSince } from "../../../app/hosts.ts";
import { useIsUnseen } from "../../../app/sight.ts";
import { HostLost } from "../../../entities/hosts/host-lost.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { ConfirmButton } from "../../../ui/confirm-dialog.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { useNow } from "../../../ui/ticker.tsx";
import { CheckWords } from "./check-words.tsx";
import { headline } from "./headline.ts";

/** What is checked, how it is and why, and what can be done with it. */
export function EndpointHeader({ endpoint }: { endpoint: EndpointDetail }) {
  const lostSince = useLostSince(endpoint);
  const { status, word } = shownEndpointStatus(endpoint, useIsUnseen()("endpoint", endpoint.agent_id));
  const words = useNow((nowMs) => headline(endpoint, nowMs));
  return (
    <header>
      <nav aria-label="Breadcrumb" className="flex min-w-0 gap-1.5 text-xs text-ink-2">
        <Link to="/endpoints" className="hover:text-ink hover:underline">
          Endpoints
        </Link>
        {endpoint.service_id !== null && (
          <>
            <span aria-hidden>/</span>
            <Link to="/swarm/services/$id" params={{ id: endpoint.service_id }} className="min-w-0 truncate hover:text-ink hover:underline">
              <bdi>{endpoint.service_name}</bdi>
            </Link>
          </>
        )}
        {endpoint.container_id !== null && endpoint.container_name !== null && (
          <>
            <span aria-hidden>/</span>
            <Link
              to="/containers/$id"
              params={{ id: endpoint.container_id }}
              search={{ tab: "checks" }}
              className="min-w-0 truncate hover:text-ink hover:underline"
            >
              <bdi>{endpoint.container_name}</bdi>
            </Link>
          </>
        )}
      </nav>
      <div className="mt-1 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h1 className="line-clamp-2 min-w-0 text-[19px] leading-[26px] font-[620] tracking-[-0.012em] wrap-anywhere sm:text-xl">
          <bdi>{endpoint.name}</bdi>
        </h1>
        <Changed value={`${status} ${word}`} className="inline-flex items-center gap-2">
          <StatusIcon status={status} />
          {word}
        </Changed>
        {endpoint.name !== endpoint.target && <span className="min-w-0 wrap-anywhere text-ink-2">{endpoint.target}</span>}
        <HostLost since={lostSince} record={endpoint} />
      </div>
      <p dir="auto" className="mt-1.5 min-h-5 max-w-[100ch] wrap-anywhere tabular-nums">
        {words}
      </p>
      <Actions endpoint={endpoint} />
    </header>
  );
}

function Actions({ endpoint }: { endpoint: EndpointDetail }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { id, paused, active, source, name } = endpoint;

  /** What was answered is the newest that is known. */
  function changed(): void {
    void queryClient.invalidateQueries({ queryKey: ["endpoint", id] });
    void queryClient.invalidateQueries({ queryKey: ["endpoints"] });
  }
  const check = useMutation({ mutationFn: () => checkEndpointNow(id) });
  const pause = useMutation({
    mutationFn: (isPaused: boolean) => setEndpointPaused(id, isPaused),
    onSuccess(record) {
      check.reset();
      queryClient.setQueryData(endpointQuery(id).queryKey, (detail) => detail && { ...detail, ...record });
      changed();
    },
  });
  const removal = useMutation({
    mutationFn: () => deleteEndpoint(id),
    async onSuccess() {
      await navigate({ to: "/endpoints", replace: true });
      queryClient.removeQueries({ queryKey: ["endpoint", id] });
      void queryClient.invalidateQueries({ queryKey: ["endpoints"] });
    },
  });

  return (
    <>
      <div className="mt-3 flex min-h-8 flex-wrap items-center gap-2">
        {active && !paused && (
          <Button disabled={check.isPending} onClick={() => check.mutate()}>
            {check.isPending ? "Checking" : "Check now"}
          </Button>
        )}
        {active && (
          <Button disabled={pause.isPending} onClick={() => pause.mutate(!paused)}>
            {paused ? "Resume" : "Pause"}
          </Button>
        )}
        {source === "standalone" && (
          <>
            <Link to="/endpoints/$id" params={{ id }} search={{ edit: "yes" }} resetScroll={false} className={buttonClass()}>
              Edit
            </Link>
            <ConfirmButton
              label="Delete"
              title={`Delete ${name}?`}
              action="Delete endpoint"
              mutation={removal}
              failure="It was not deleted."
            >
              <p>Stops checking and deletes all checks and uptime. This cannot be undone.</p>
            </ConfirmButton>
          </>
        )}
        <span role="status" className="min-w-0 text-sm">
          {check.data !== undefined && <CheckWords check={check.data.check} />}
        </span>
      </div>
      {check.isError && <ErrorNote what="It was not checked." error={check.error} />}
      {pause.isError && <ErrorNote what={paused ? "It was not resumed." : "It was not paused."} error={pause.error} />}
    </>
  );
}
