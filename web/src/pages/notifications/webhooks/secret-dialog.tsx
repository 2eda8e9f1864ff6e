import type { CreatedWebhook } from "../../../../../src/publishing/webhooks/api.ts";
import { Button } from "../../../ui/button.tsx";
import { CommandLine } from "../../../ui/command-line.tsx";
import { Dialog } from "../../../ui/dialog.tsx";

/** The secret of a new webhook, shown once, and what it is for. */
export function SecretDialog({ webhook: { name, secret }, onClose }: { webhook: CreatedWebhook; onClose: () => void }) {
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
