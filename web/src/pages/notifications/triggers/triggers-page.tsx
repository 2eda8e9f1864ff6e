import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import { channelsQuery } from "../../../api/alert-queries.ts";
import { triggersQuery } from "../../../api/triggers.ts";
import { useTitle } from "../../../app/use-title.ts";
import { countOf, formatCount } from "../../../format/number.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { NotificationsFrame } from "../frame.tsx";
import { useForm } from "../use-form.ts";
import { Reading } from "../../../ui/forms/reading.tsx";
import { TriggerRow } from "./trigger-row.tsx";

const TriggerDialog = lazy(() => import("./trigger-dialog.tsx").then((module) => ({ default: module.TriggerDialog })));

/** The triggers: which alerts go to which channels, whatever rules the channels have themselves. */
export function TriggersPage() {
  const query = useQuery(triggersQuery);
  const triggers = query.data?.triggers ?? [];
  const form = useForm("/notifications/routing", triggers);
  useTitle(query.data === undefined ? "Routing" : `Routing (${formatCount(triggers.length)})`);

  return (
    <NotificationsFrame
      note={query.data && triggers.length > 0 && countOf(triggers.length, "trigger")}
      action={
        <Button kind="primary" className="max-sm:w-full" onClick={form.create}>
          <Plus size={16} aria-hidden /> Add trigger
        </Button>
      }
    >
      <Reading what="triggers" query={query}>
        Alerts are still sent.
      </Reading>
      {query.data !== undefined && triggers.length === 0 && <NoTriggers onAdd={form.create} />}
      {triggers.length > 0 && (
        <ul aria-label="Triggers" className="mt-2">
          {triggers.map((trigger) => (
            <TriggerRow key={trigger.id} trigger={trigger} onEdit={() => form.edit(trigger)} />
          ))}
        </ul>
      )}
      {form.isOpen && (
        <Suspense>
          <TriggerDialog key={form.edited?.id ?? "new"} trigger={form.edited} onClose={form.close} />
        </Suspense>
      )}
    </NotificationsFrame>
  );
}

function NoTriggers({ onAdd }: { onAdd: () => void }) {
  const { data } = useQuery(channelsQuery);
  const hasChannels = data === undefined || data.channels.length > 0;
  return (
    <EmptyState title="No triggers yet">
      <p>
        A trigger sends matching alerts to several channels: critical alerts to phone and email, alerts tagged night to whoever is on call.
        Channel rules still apply. Each channel gets an alert only once.
      </p>
      {hasChannels ? (
        <Button onClick={onAdd}>Add a trigger</Button>
      ) : (
        <>
          <p>Add a channel first.</p>
          <Link to="/notifications" search={{ create: "yes" }} className={buttonClass()}>
            Add a channel
          </Link>
        </>
      )}
    </EmptyState>
  );
}
