import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { CreatedWebhook } from "../../../../../src/publishing/webhooks/answers.ts";
import { webhooksQuery } from "../../../api/webhooks.ts";
import { useTitle } from "../../../app/use-title.ts";
import { countOf, formatCount } from "../../../format/number.ts";
import { Button } from "../../../ui/button.tsx";
import { CommandLine } from "../../../ui/command-line.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { NotificationsFrame } from "../frame.tsx";
import { useForm } from "../use-form.ts";
import { Reading } from "../../../ui/forms/reading.tsx";
import { WebhookRow } from "./webhook-row.tsx";

const WebhookDialog = lazy(() => import("./webhook-dialog.tsx").then((module) => ({ default: module.WebhookDialog })));

/** The programs that are sent events, and whether they take them. */
export function WebhooksPage() {
  const query = useQuery(webhooksQuery);
  const [created, setCreated] = useState<CreatedWebhook | undefined>(undefined);
  const webhooks = query.data?.webhooks ?? [];
  const form = useForm("/notifications/webhooks", webhooks);
  useTitle(query.data === undefined ? "Webhooks" : `Webhooks (${formatCount(webhooks.length)})`);

  return (
    <NotificationsFrame
      note={query.data && webhooks.length > 0 && countOf(webhooks.length, "webhook")}
      action={
        <Button kind="primary" className="max-sm:w-full" onClick={form.create}>
          <Plus size={16} aria-hidden /> Add webhook
        </Button>
      }
    >
      <Reading what="webhooks" query={query}>
        Events are still sent.
      </Reading>
      {query.data !== undefined && webhooks.length === 0 && <NoWebhooks onAdd={form.create} />}
      {webhooks.length > 0 && (
        <ul aria-label="Webhooks" className="mt-2">
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} onEdit={() => form.edit(webhook)} />
          ))}
        </ul>
      )}
      {form.isOpen && (
        <Suspense>
          <WebhookDialog key={form.edited?.id ?? "new"} webhook={form.edited} onClose={form.close} onCreated={setCreated} />
        </Suspense>
      )}
      {created !== undefined && <SecretDialog webhook={created} onClose={() => setCreated(undefined)} />}
    </NotificationsFrame>
  );
}

function NoWebhooks({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState title="No webhooks yet">
      <p>
        A webhook sends subscribed events as signed JSON to your own service: alerts, container changes, missed heartbeats. Failed
        deliveries are retried. To notify people, use a channel instead.
      </p>
      <Button onClick={onAdd}>Add a webhook</Button>
    </EmptyState>
  );
}

/** The secret of a new webhook, shown once, and what it is for. */
function SecretDialog({ webhook: { name, secret }, onClose }: { webhook: CreatedWebhook; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={`The secret of ${name}`}>
      <div className="flex flex-col gap-3">
        <p>Copy it to the receiver now: it is not shown again. If you lose it, set a new one.</p>
        <CommandLine command={secret} />
        <p className="text-ink-2">
          Every delivery has the header X-Service-Signature: <code className="font-mono text-xs">sha256=</code> and the hex HMAC-SHA256 of
          the header X-Service-Timestamp, a dot and the raw body. Compare it to verify the sender, and reject old timestamps.
        </p>
        <div>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
