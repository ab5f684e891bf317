/** Manifests of the tour. */
export const manifests: Readonly<Record<string, string>> = {
  "team.yaml": `apiVersion: v1
kind: Namespace
metadata:
  name: team
`,
  "pod.yaml": `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: team
  labels:
    app: web
spec:
  containers:
    - name: main
      image: nginx:1.29
`,
  "deployment.yaml": `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
  namespace: team
spec:
  replicas: 2
  selector:
    matchLabels:
      app: api
  template:
    metadata:
      labels:
        app: api
    spec:
      containers:
        - name: main
          image: api:1
`,
  "settings.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: team
data:
  color: blue
  size: large
`,
  "settings-red.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: team
data:
  color: red
`,
  "widgets-crd.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    plural: widgets
    singular: widget
    kind: Widget
    listKind: WidgetList
    shortNames: [wd]
    categories: [all]
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
        scale:
          specReplicasPath: .spec.replicas
          statusReplicasPath: .status.replicas
      additionalPrinterColumns:
        - name: Color
          type: string
          jsonPath: .spec.color
        - name: Age
          type: date
          jsonPath: .metadata.creationTimestamp
      schema:
        openAPIV3Schema:
          type: object
          description: A Widget is what the tour plays with.
          properties:
            spec:
              type: object
              properties:
                color:
                  type: string
                  description: Color of the widget.
                  enum: [red, green, blue]
                replicas:
                  type: integer
                  default: 1
            status:
              type: object
              properties:
                replicas:
                  type: integer
                phase:
                  type: string
`,
  "widget.yaml": `apiVersion: example.com/v1
kind: Widget
metadata:
  name: first
  namespace: team
spec:
  color: red
`,
  "widget-green.yaml": `apiVersion: example.com/v1
kind: Widget
metadata:
  name: first
  namespace: team
spec:
  color: green
`,
  "widget-wrong.yaml": `apiVersion: example.com/v1
kind: Widget
metadata:
  name: second
  namespace: team
spec:
  color: purple
`,
  "widget-typo.yaml": `apiVersion: example.com/v1
kind: Widget
metadata:
  name: second
  namespace: team
spec:
  colour: red
`,
};
