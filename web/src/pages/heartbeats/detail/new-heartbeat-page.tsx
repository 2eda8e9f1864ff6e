import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { createHeartbeat, heartbeatsQuery } from "../../../api/heartbeat-queries.ts";
import { Breadcrumb } from "../../../app/breadcrumb.tsx";
import { Page } from "../../../app/page.tsx";
import { useTitle } from "../../../app/use-title.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { newDraft } from "../../../entities/heartbeats/draft.ts";
import { HeartbeatForm } from "./heartbeat-form.tsx";

/** Makes a heartbeat; its page then shows what to copy, and waits for the first ping. */
export function NewHeartbeatPage() {
  useTitle("New heartbeat");
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [initial] = useState(() => newDraft(Intl.DateTimeFormat().resolvedOptions().timeZone));
  const creating = useMutation({
    mutationFn: createHeartbeat,
    onSuccess(heartbeat) {
      void queryClient.invalidateQueries({ queryKey: heartbeatsQuery.queryKey });
      // The form is done with: the way back leads to the list.
      void navigate({ to: "/heartbeats/$id", params: { id: heartbeat.id }, replace: true });
    },
  });
  return (
    <Page narrow>
      <Breadcrumb to="/heartbeats">Heartbeats</Breadcrumb>
      <h1 className="mt-1 text-[19px] leading-[26px] font-[620] tracking-[-0.012em] sm:text-xl">New heartbeat</h1>
      <p className="mt-1.5 max-w-[68ch] text-ink-2">
        Set when the job runs. It gets a URL to ping when done. If a ping is late or reports a failure, the heartbeat is down.
      </p>
      <div className="mt-6 max-w-[36rem]">
        <HeartbeatForm
          initial={initial}
          fillsPage
          submitLabel="Create heartbeat"
          failure="The heartbeat was not created."
          isSaving={creating.isPending}
          error={creating.error}
          onSubmit={(body) => creating.mutate(body)}
        >
          <Link to="/heartbeats" ignoreBlocker className={buttonClass("quiet")}>
            Cancel
          </Link>
        </HeartbeatForm>
      </div>
    </Page>
  );
}
