import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Lock, Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import { isApiError } from "../../../api/client.ts";
import { policiesQuery } from "../../../api/policies.ts";
import { useTitle } from "../../../app/use-title.ts";
import { countOf, formatCount } from "../../../format/number.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { useCapability } from "../../../app/capability.ts";
import { NotificationsFrame } from "../frame.tsx";
import { useForm } from "../use-form.ts";
import { Reading } from "../../../ui/forms/reading.tsx";
import { PolicyRow } from "./policy-row.tsx";

const PolicyDialog = lazy(() => import("./policy-dialog.tsx").then((module) => ({ default: module.PolicyDialog })));

/** Who is notified when nobody reacts. */
export function EscalationPage() {
  const { isGranted, isAsked, edition } = useCapability()("escalation");
  const { error } = useQuery({ ...policiesQuery, enabled: isGranted && !isAsked });
  if (isAsked)
    return (
      <NotificationsFrame>
        <div className="mt-4">
          <SkeletonRows count={4} label="Loading edition" />
        </div>
      </NotificationsFrame>
    );
  return isGranted && !isApiError(error, "EDITION_REQUIRED") ? <Policies /> : <Gated edition={edition} />;
}

function Policies() {
  const query = useQuery(policiesQuery);
  const policies = query.data?.policies ?? [];
  const form = useForm("/notifications/escalation", policies);
  useTitle(query.data === undefined ? "Escalation" : `Escalation (${formatCount(policies.length)})`);

  return (
    <NotificationsFrame
      note={query.data && policies.length > 0 && countOf(policies.length, "policy", "policies")}
      action={
        <Button kind="primary" className="max-sm:w-full" onClick={form.create}>
          <Plus size={16} aria-hidden /> Add policy
        </Button>
      }
    >
      <Reading what="escalation policies" query={query}>
        Escalations continue.
      </Reading>
      {query.data !== undefined && policies.length === 0 && <NoPolicies onAdd={form.create} />}
      {policies.length > 0 && (
        <ul aria-label="Escalation policies" className="mt-2">
          {policies.map((policy) => (
            <PolicyRow key={policy.id} policy={policy} onEdit={() => form.edit(policy)} />
          ))}
        </ul>
      )}
      {form.isOpen && (
        <Suspense>
          <PolicyDialog key={form.edited?.id ?? "new"} policy={form.edited} onClose={form.close} />
        </Suspense>
      )}
    </NotificationsFrame>
  );
}

const WHAT =
  "An escalation policy notifies more channels, level by level, until someone acknowledges the alert: a phone after 5 minutes, the whole team after 15. It stops on acknowledge or resolve, and pauses during maintenance.";

function NoPolicies({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState title="No escalation policies yet">
      <p>{WHAT}</p>
      <Button onClick={onAdd}>Add a policy</Button>
    </EmptyState>
  );
}

function Gated({ edition }: { edition: string }) {
  useTitle("Escalation");
  return (
    <NotificationsFrame>
      <EmptyState title="Notify others when nobody acknowledges">
        <p>{WHAT}</p>
        <p className="flex gap-2 text-ink">
          <Lock size={14} aria-hidden className="mt-[3px] shrink-0 text-ink-3" />
          It comes with the {edition} edition. Alerts, channels, routing and silences work without it.
        </p>
        <Link to="/settings" className={buttonClass()}>
          Edition and licence
        </Link>
      </EmptyState>
    </NotificationsFrame>
  );
}
