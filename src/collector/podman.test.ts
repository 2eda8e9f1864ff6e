import { describeCollectorOnPodman } from "../../test/support/collector-on-podman.ts";
import { startPodman } from "../../test/support/podman.ts";

describeCollectorOnPodman("container collector on Podman", startPodman);
