export default {
  // Bundles the packages, as for a container.
  ssr: { noExternal: true },
};
