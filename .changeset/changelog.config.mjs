import changelog from "@changesets/cli/changelog";

// All packages of a release have the same version: their updates of each other are not news.
export default { ...changelog, getDependencyReleaseLine: () => "" };
