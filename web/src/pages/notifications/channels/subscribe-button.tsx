import { useMutation } from "@tanstack/react-query";
import { BellRing, Check } from "lucide-react";
import { subscribeBrowser } from "../../../api/push-subscription.ts";
import { Button } from "../../../ui/button.tsx";

interface Properties {
  isSubscribed: boolean;
  fault: string | undefined;
  /** Given the address of the subscription. */
  onSubscribed: (address: string) => void;
}

/** Subscribes the browser that it is pressed in. */
export function SubscribeButton({ isSubscribed, fault, onSubscribed }: Properties) {
  const subscribing = useMutation({ mutationFn: subscribeBrowser, onSuccess: onSubscribed });
  const message = subscribing.error?.message ?? (isSubscribed ? fault : fault && "Subscribe this browser first.");
  return (
    <div>
      {isSubscribed ? (
        <p role="status" className="flex items-center gap-2 text-ink-2">
          <Check size={16} aria-hidden className="text-ok" /> This browser is subscribed. Add the channel to use it.
        </p>
      ) : (
        <Button disabled={subscribing.isPending} onClick={() => subscribing.mutate()}>
          <BellRing size={16} aria-hidden /> Subscribe this browser
        </Button>
      )}
      {message !== undefined && (
        <p role="alert" className="mt-1 text-xs wrap-anywhere text-down">
          {message}
        </p>
      )}
    </div>
  );
}
