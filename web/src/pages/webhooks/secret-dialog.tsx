import type { CreatedWebhook } from "../../../../src/publishing/webhooks/api.ts";
import { Button } from "../../ui/button.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { Dialog } from "../../ui/dialog.tsx";

/** The secret of a new webhook, shown once, and what it is for. */
export function SecretDialog({ webhook: { name, secret }, onClose }: { webhook: CreatedWebhook; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={`The secret of ${name}`}>
      <div className="flex flex-col gap-3">
        <p>Give it to the receiver now: it is not shown again. If it is lost, set a new one.</p>
        <CommandLine command={secret} />
        <p className="text-ink-2">
          Every delivery has the header X-Service-Signature: <code className="font-mono text-xs">sha256=</code> and the HMAC-SHA256, in hex,
          of the header X-Service-Timestamp, a dot and the body as it came. A receiver that computes the same knows who sent it; it should
          refuse times that are long past.
        </p>
        <div>
          <Button kind="primary" onClick={onClose}>
            I have it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
