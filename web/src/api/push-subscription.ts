import { request } from "./client.ts";

/**
 * Subscribes this browser to notifications, which asks its user; resolves with the address of a channel that reaches it. Rejects with an Error
 * that says what to do.
 */
export async function subscribeBrowser(): Promise<string> {
  if (!("serviceWorker" in navigator)) throw new Error("Browsers allow notifications over https only. Open Binnacle by its https address.");
  if (!("PushManager" in window))
    throw new Error("This browser has no push notifications. On an iPhone or iPad, add Binnacle to the Home Screen and open it there.");
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error("Notifications are blocked. Allow them in this browser's settings for this site, then try again.");
  const [{ public_key: applicationServerKey }] = await Promise.all([
    request("GET /api/v1/channels/web-push-key"),
    navigator.serviceWorker.register("/worker.js"),
  ]);
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }).catch(async (error: unknown) => {
    // It is subscribed with the key of another server that had this address.
    const other = await pushManager.getSubscription();
    if (other === null) throw new Error("The browser could not reach its push service. Try again later.", { cause: error });
    await other.unsubscribe();
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  });
  const { endpoint = "", keys = {} } = subscription.toJSON();
  return `${endpoint}${endpoint.includes("?") ? "&" : "?"}p256dh=${keys["p256dh"] ?? ""}&auth=${keys["auth"] ?? ""}`;
}
