import { CommandLine } from "../../ui/command-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** The labels that make checks, ready to be copied. */
export function EndpointLabels() {
  return (
    <>
      <CommandLine command="docker run -d -p 8080:80 --label service.endpoint.http=http://127.0.0.1:8080/ nginx:alpine" />
      <p>In a Compose file, put the same label under the service:</p>
      <CommandLine command={"labels:\n  service.endpoint.http: https://shop.example.com/health\n  service.endpoint.interval: 30s"} />
    </>
  );
}

/** What would be here if something were checked, and how to get it. */
export function NoEndpoints() {
  return (
    <EmptyState title="No endpoints yet">
      <p>
        An endpoint is a URL or TCP port checked at an interval: availability, response time and certificate. Define one with a container
        label; it is checked while the container runs:
      </p>
      <EndpointLabels />
      <p>Add other targets, such as an external website, with Add endpoint.</p>
    </EmptyState>
  );
}
