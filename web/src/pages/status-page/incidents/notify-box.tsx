import { useQuery } from "@tanstack/react-query";
import { subscriberCountsQuery } from "../../../api/status-subscribers.ts";
import { countOf } from "../../../format/number.ts";
import { CheckBox } from "../../../ui/forms/check-box.tsx";

/** Whether subscribers get a mail of it, and how many there are. */
export function NotifyBox({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const { data } = useQuery(subscriberCountsQuery);
  return <CheckBox label="Email subscribers" hint={hintOf(data)} checked={checked} onChange={onChange} />;
}

function hintOf(data: { mail: boolean; counts: { confirmed: number } } | undefined): string {
  if (data === undefined) return "Subscribers of single components get only matching emails.";
  if (!data.mail) return "No mail server is configured, so no emails are sent.";
  if (data.counts.confirmed === 0) return "No subscribers yet.";
  return `${countOf(data.counts.confirmed, "subscriber")}. Subscribers of single components get only matching emails.`;
}
