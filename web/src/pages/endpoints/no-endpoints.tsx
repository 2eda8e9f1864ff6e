import { CommandLine } from "../../ui/command-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** The labels that make checks, ready to be copied. */
export function EndpointLabels() {
  return (
    <>
      <CommandLine command="docker run -d -p 8080:80 --label service.endpoint.http=http://127.0.0.1:8080/ nginx:alpine" />
      <p>In a Compose file the same label stands under the service:</p>
      <CommandLine command={"labels:\n  service.endpoint.http: https://shop.example.com/health\n  service.endpoint.interval: 30s"} />
    </>
  );
}

/** What would be here if something were checked, and how to get it. */
export function NoEndpoints() {
  return (
    <EmptyState title="No endpoints yet">
      <p>
        An endpoint is a URL or a TCP port that is asked again and again: whether it answers, how fast, and with a certificate that holds. A
        container names its own with a label, and is checked for as long as it runs:
      </p>
      <EndpointLabels />
      <p>What no container of yours names, such as a site elsewhere, is added by hand with Add endpoint.</p>
    </EmptyState>
  );
}
