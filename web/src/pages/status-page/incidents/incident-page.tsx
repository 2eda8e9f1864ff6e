import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { IncidentRecord } from "../../../../../src/publishing/status/incidents/answers.ts";
import { isApiError } from "../../../api/client.ts";
import { deleteIncident, incidentQuery } from "../../../api/status-incidents.ts";
import { useTitle } from "../../../app/use-title.ts";
import { Age } from "../../../ui/age.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Section } from "../../../ui/section.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { Reading } from "../../../ui/forms/reading.tsx";
import { useComponentName } from "../../../entities/status-page/use-component-names.ts";
import { INCIDENT_SEVERITY_WORDS, INCIDENT_STATUS_WORDS, lastedWords, type IncidentStatus } from "../words.ts";
import { Timeline } from "./timeline.tsx";

const route = getRouteApi("/status-page/incidents/$id");
const EditIncidentDialog = lazy(() => import("./incident-dialog.tsx").then((module) => ({ default: module.EditIncidentDialog })));
const UpdateComposer = lazy(() => import("./update-composer.tsx").then((module) => ({ default: module.UpdateComposer })));

/** One incident: what was published, and what is published next. */
export function IncidentPage() {
  const { id } = route.useParams();
  const query = useQuery(incidentQuery(id));
  useTitle(query.data?.title ?? "Incident");
  if (isApiError(query.error, "not_found"))
    return (
      <EmptyState title="Incident not found">
        <p>It was deleted, or the address is wrong.</p>
        <Link to="/status-page/incidents" className={buttonClass()}>
          All incidents
        </Link>
      </EmptyState>
    );
  return (
    <>
      <Reading what="incident" query={query}>
        Visitors still see it.
      </Reading>
      {query.data !== undefined && <Incident key={query.data.id} incident={query.data} />}
    </>
  );
}

function Incident({ incident }: { incident: IncidentRecord }) {
  const [proposed, setProposed] = useState<IncidentStatus | undefined>(undefined);
  const isOpen = incident.resolved_at === null;
  return (
    <>
      <Head incident={incident} />
      <Section title="Updates">
        {proposed === undefined ? (
          <div className="flex flex-wrap gap-2 border-b border-line py-3">
            {isOpen ? (
              <>
                <Button kind="primary" onClick={() => setProposed(incident.status)}>
                  Post update
                </Button>
                <Button onClick={() => setProposed("resolved")}>Resolve</Button>
              </>
            ) : (
              <>
                <Button onClick={() => setProposed("investigating")}>Reopen</Button>
                <Button kind="quiet" onClick={() => setProposed("resolved")}>
                  Add a closing note
                </Button>
              </>
            )}
          </div>
        ) : (
          <Suspense>
            <UpdateComposer incident={incident} status={proposed} onDone={() => setProposed(undefined)} />
          </Suspense>
        )}
        <Timeline incident={incident} />
      </Section>
    </>
  );
}

function Head({ incident }: { incident: IncidentRecord }) {
  const { title, severity, status, created_at, resolved_at, components, automatic } = incident;
  const nameOf = useComponentName();
  const states = [INCIDENT_STATUS_WORDS[status], ...(resolved_at === null ? [INCIDENT_SEVERITY_WORDS[severity]] : [])];
  return (
    <header className="mt-5">
      <p className="text-sm">
        <Link to="/status-page/incidents" className="text-ink-2 underline-offset-2 hover:underline">
          All incidents
        </Link>
      </p>
      <div className="mt-1 flex flex-wrap items-start gap-x-4 gap-y-2">
        <h2 className="min-w-0 flex-1 basis-72 text-lg font-[620] wrap-anywhere">
          <bdi>{title}</bdi>
        </h2>
        <Acts incident={incident} />
      </div>
      <p className="mt-2 flex flex-wrap items-baseline gap-x-4 gap-y-0.5 sm:mt-1">
        {states.map(({ status: shape, word }) => (
          <span key={word} className="inline-flex items-center gap-2">
            <StatusIcon status={shape} />
            {word}
          </span>
        ))}
        {resolved_at !== null && <span className="text-ink-2">{INCIDENT_SEVERITY_WORDS[severity].word}</span>}
        <span className="text-ink-2">
          {resolved_at === null && "since "}
          <Timestamp at={created_at} precision="minute" />
          {resolved_at === null ? (
            <>
              , for <Age at={created_at} />
            </>
          ) : (
            `, ${lastedWords(incident)}`
          )}
        </span>
        <span className="min-w-0 wrap-anywhere text-ink-2">
          <bdi>{components.length === 0 ? "The service as a whole" : components.map(nameOf).join(", ")}</bdi>
        </span>
      </p>
      {automatic && (
        <p className="mt-2 max-w-[80ch] text-sm text-ink-2">
          Created by an alert and resolved with it. Once you edit it or post an update, you manage it. Only the resolution is still posted
          automatically.
        </p>
      )}
    </header>
  );
}

function Acts({ incident }: { incident: IncidentRecord }) {
  const queryClient = useQueryClient();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<"edit" | "delete" | undefined>(undefined);
  const removal = useMutation({
    mutationFn: () => deleteIncident(incident.id),
    async onSuccess() {
      await navigate({ to: "/status-page/incidents", replace: true });
      queryClient.removeQueries({ queryKey: incidentQuery(incident.id).queryKey });
      void queryClient.invalidateQueries({ queryKey: ["status", "incidents"] });
    },
  });
  return (
    <div className="flex gap-2">
      <Button onClick={() => setOpen("edit")}>
        Edit<span className="sr-only"> {incident.title}</span>
      </Button>
      <Button kind="danger" onClick={() => setOpen("delete")}>
        Delete<span className="sr-only"> {incident.title}</span>
      </Button>
      {open === "edit" && (
        <Suspense>
          <EditIncidentDialog incident={incident} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
      <ConfirmDialog
        open={open === "delete"}
        title={`Delete ${incident.title}?`}
        action="Delete incident"
        mutation={removal}
        failure="It was not deleted."
        onClose={() => setOpen(undefined)}
      >
        <p>It is removed from the page, its history and the feed. This cannot be undone. If it is over, resolve it instead.</p>
      </ConfirmDialog>
    </div>
  );
}
