import { Button } from "../../ui/button.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { answerWords, type Answer } from "./answer-words.ts";

interface Testing {
  isPending: boolean;
  error: Error | null;
  data: Answer | undefined;
  mutate: () => void;
}

/** Sends a test message. `of` is whom it is sent to, for screen readers. */
export function TestButton({ test: { isPending, mutate }, of, label = "Send a test" }: { test: Testing; of: string; label?: string }) {
  return (
    <Button disabled={isPending} onClick={() => mutate()}>
      {isPending ? "Sending" : label}
      <span className="sr-only"> to {of}</span>
    </Button>
  );
}

/** What the receiver of a test answered. Its place is there before, so that it is read out when it comes. */
export function TestAnswer({ test: { data, error, isPending } }: { test: Testing }) {
  const isDelivered = error === null && data?.status === "delivered";
  return (
    <div role="status" className="min-w-0 text-sm">
      {!isPending && (data !== undefined || error !== null) && (
        <p className="flex max-w-[100ch] items-start gap-2 py-1.5">
          <StatusIcon status={isDelivered ? "ok" : "down"} className="mt-[3px]" />
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {error === null ? data !== undefined && answerWords(data) : `The test was not sent. ${error.message}`}
          </span>
        </p>
      )}
    </div>
  );
}
