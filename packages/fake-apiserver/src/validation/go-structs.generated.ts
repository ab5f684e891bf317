// Written by scripts/schemas/pack-structs.ts.

/** Fields of Go's types, as struct-texts.ts reads them. */
export const goStructs: Readonly<Record<string, string>> = {
  PodSpec:
    "Volumes:lVolume InitContainers:lContainer Containers:lContainer EphemeralContainers:lEphemeralContainer RestartPolicy:s TerminationGracePeriodSeconds:p ActiveDeadlineSeconds:p DNSPolicy:s NodeSelector:m ServiceAccountName:s DeprecatedServiceAccount:s AutomountServiceAccountToken:p NodeName:s HostNetwork:b HostPID:b HostIPC:b ShareProcessNamespace:p SecurityContext:pPodSecurityContext ImagePullSecrets:lLocalObjectReference Hostname:s Subdomain:s Affinity:pAffinity SchedulerName:s Tolerations:lToleration HostAliases:lHostAlias PriorityClassName:s Priority:p DNSConfig:pPodDNSConfig ReadinessGates:lPodReadinessGate RuntimeClassName:p EnableServiceLinks:p PreemptionPolicy:p Overhead:m TopologySpreadConstraints:lTopologySpreadConstraint SetHostnameAsFQDN:p OS:pPodOS HostUsers:p SchedulingGates:lPodSchedulingGate ResourceClaims:lPodResourceClaim Resources:pResourceRequirements HostnameOverride:p SchedulingGroup:pPodSchedulingGroup EvictionResponders:lEvictionResponder",
  Volume: "Name:s ^VolumeSource",
  VolumeSource:
    "HostPath:pHostPathVolumeSource EmptyDir:pEmptyDirVolumeSource GCEPersistentDisk:pGCEPersistentDiskVolumeSource AWSElasticBlockStore:pAWSElasticBlockStoreVolumeSource GitRepo:pGitRepoVolumeSource Secret:pSecretVolumeSource NFS:pNFSVolumeSource ISCSI:pISCSIVolumeSource Glusterfs:pGlusterfsVolumeSource PersistentVolumeClaim:pPersistentVolumeClaimVolumeSource RBD:pRBDVolumeSource FlexVolume:pFlexVolumeSource Cinder:pCinderVolumeSource CephFS:pCephFSVolumeSource Flocker:pFlockerVolumeSource DownwardAPI:pDownwardAPIVolumeSource FC:pFCVolumeSource AzureFile:pAzureFileVolumeSource ConfigMap:pConfigMapVolumeSource VsphereVolume:pVsphereVirtualDiskVolumeSource Quobyte:pQuobyteVolumeSource AzureDisk:pAzureDiskVolumeSource PhotonPersistentDisk:pPhotonPersistentDiskVolumeSource Projected:pProjectedVolumeSource PortworxVolume:pPortworxVolumeSource ScaleIO:pScaleIOVolumeSource StorageOS:pStorageOSVolumeSource CSI:pCSIVolumeSource Ephemeral:pEphemeralVolumeSource Image:pImageVolumeSource",
  HostPathVolumeSource: "Path:s Type:p",
  EmptyDirVolumeSource: "Medium:s SizeLimit:p Mode:p",
  GCEPersistentDiskVolumeSource: "PDName:s FSType:s Partition:i ReadOnly:b",
  AWSElasticBlockStoreVolumeSource: "VolumeID:s FSType:s Partition:i ReadOnly:b",
  GitRepoVolumeSource: "Repository:s Revision:s Directory:s",
  SecretVolumeSource: "SecretName:s Items:lKeyToPath DefaultMode:p Optional:p DefaultUser:p",
  KeyToPath: "Key:s Path:s Mode:p User:p",
  NFSVolumeSource: "Server:s Path:s ReadOnly:b",
  ISCSIVolumeSource:
    "TargetPortal:s IQN:s Lun:i ISCSIInterface:s FSType:s ReadOnly:b Portals:l DiscoveryCHAPAuth:b SessionCHAPAuth:b SecretRef:pLocalObjectReference InitiatorName:p",
  LocalObjectReference: "Name:s",
  GlusterfsVolumeSource: "EndpointsName:s Path:s ReadOnly:b",
  PersistentVolumeClaimVolumeSource: "ClaimName:s ReadOnly:b",
  RBDVolumeSource:
    "CephMonitors:l RBDImage:s FSType:s RBDPool:s RadosUser:s Keyring:s SecretRef:pLocalObjectReference ReadOnly:b",
  FlexVolumeSource: "Driver:s FSType:s SecretRef:pLocalObjectReference ReadOnly:b Options:m",
  CinderVolumeSource: "VolumeID:s FSType:s ReadOnly:b SecretRef:pLocalObjectReference",
  CephFSVolumeSource:
    "Monitors:l Path:s User:s SecretFile:s SecretRef:pLocalObjectReference ReadOnly:b",
  FlockerVolumeSource: "DatasetName:s DatasetUUID:s",
  DownwardAPIVolumeSource: "Items:lDownwardAPIVolumeFile DefaultMode:p DefaultUser:p",
  DownwardAPIVolumeFile:
    "Path:s FieldRef:pObjectFieldSelector ResourceFieldRef:pResourceFieldSelector Mode:p User:p",
  ObjectFieldSelector: "APIVersion:s FieldPath:s",
  ResourceFieldSelector: "ContainerName:s Resource:s Divisor:q",
  FCVolumeSource: "TargetWWNs:l Lun:p FSType:s ReadOnly:b WWIDs:l",
  AzureFileVolumeSource: "SecretName:s ShareName:s ReadOnly:b",
  ConfigMapVolumeSource:
    "^LocalObjectReference Items:lKeyToPath DefaultMode:p Optional:p DefaultUser:p",
  VsphereVirtualDiskVolumeSource: "VolumePath:s FSType:s StoragePolicyName:s StoragePolicyID:s",
  QuobyteVolumeSource: "Registry:s Volume:s ReadOnly:b User:s Group:s Tenant:s",
  AzureDiskVolumeSource: "DiskName:s DataDiskURI:s CachingMode:p FSType:p ReadOnly:p Kind:p",
  PhotonPersistentDiskVolumeSource: "PdID:s FSType:s",
  ProjectedVolumeSource: "Sources:lVolumeProjection DefaultMode:p DefaultUser:p",
  VolumeProjection:
    "Secret:pSecretProjection DownwardAPI:pDownwardAPIProjection ConfigMap:pConfigMapProjection ServiceAccountToken:pServiceAccountTokenProjection ClusterTrustBundle:pClusterTrustBundleProjection PodCertificate:pPodCertificateProjection",
  SecretProjection: "^LocalObjectReference Items:lKeyToPath Optional:p",
  DownwardAPIProjection: "Items:lDownwardAPIVolumeFile",
  ConfigMapProjection: "^LocalObjectReference Items:lKeyToPath Optional:p",
  ServiceAccountTokenProjection: "Audience:s ExpirationSeconds:p Path:s User:p",
  ClusterTrustBundleProjection:
    "Name:p SignerName:p LabelSelector:pmetav1.LabelSelector Optional:p Path:s User:p",
  "metav1.LabelSelector": "~matchLabels:m ~matchExpressions:lmetav1.LabelSelectorRequirement",
  "metav1.LabelSelectorRequirement": "key:s operator:s ~values:l",
  PodCertificateProjection:
    "SignerName:s KeyType:s MaxExpirationSeconds:p CredentialBundlePath:s KeyPath:s CertificateChainPath:s UserAnnotations:m User:p",
  PortworxVolumeSource: "VolumeID:s FSType:s ReadOnly:b",
  ScaleIOVolumeSource:
    "Gateway:s System:s SecretRef:pLocalObjectReference SSLEnabled:b ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType:s ReadOnly:b",
  StorageOSVolumeSource:
    "VolumeName:s VolumeNamespace:s FSType:s ReadOnly:b SecretRef:pLocalObjectReference",
  CSIVolumeSource:
    "Driver:s ReadOnly:p FSType:p VolumeAttributes:m NodePublishSecretRef:pLocalObjectReference",
  EphemeralVolumeSource: "VolumeClaimTemplate:pPersistentVolumeClaimTemplate",
  PersistentVolumeClaimTemplate: "^metav1.ObjectMeta Spec:oPersistentVolumeClaimSpec",
  "metav1.ObjectMeta":
    "~name:s ~generateName:s ~namespace:s ~selfLink:s ~uid:s ~resourceVersion:s ~generation:i ~creationTimestamp:p ~deletionTimestamp:p ~deletionGracePeriodSeconds:p ~labels:m ~annotations:m ~ownerReferences:lmetav1.OwnerReference ~finalizers:l ~managedFields:lmetav1.ManagedFieldsEntry",
  "metav1.OwnerReference": "apiVersion:s kind:s name:s uid:s ~controller:p ~blockOwnerDeletion:p",
  "metav1.ManagedFieldsEntry":
    "~manager:s ~operation:s ~apiVersion:s ~time:p ~fieldsType:s ~fieldsV1:p ~subresource:s",
  PersistentVolumeClaimSpec:
    "AccessModes:l Selector:pmetav1.LabelSelector Resources:oVolumeResourceRequirements VolumeName:s StorageClassName:p VolumeMode:p DataSource:pTypedLocalObjectReference DataSourceRef:pTypedObjectReference VolumeAttributesClassName:p",
  VolumeResourceRequirements: "Limits:m Requests:m",
  TypedLocalObjectReference: "APIGroup:p Kind:s Name:s",
  TypedObjectReference: "APIGroup:p Kind:s Name:s Namespace:p",
  ImageVolumeSource: "Reference:s PullPolicy:s",
  Container:
    "Name:s Image:s Command:l Args:l WorkingDir:s Ports:lContainerPort EnvFrom:lEnvFromSource Env:lEnvVar Resources:oResourceRequirements ResizePolicy:lContainerResizePolicy RestartPolicy:p RestartPolicyRules:lContainerRestartRule VolumeMounts:lVolumeMount VolumeDevices:lVolumeDevice LivenessProbe:pProbe ReadinessProbe:pProbe StartupProbe:pProbe Lifecycle:pLifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:pSecurityContext Stdin:b StdinOnce:b TTY:b",
  ContainerPort: "Name:s HostPort:i ContainerPort:i Protocol:s HostIP:s",
  EnvFromSource: "Prefix:s ConfigMapRef:pConfigMapEnvSource SecretRef:pSecretEnvSource",
  ConfigMapEnvSource: "^LocalObjectReference Optional:p",
  SecretEnvSource: "^LocalObjectReference Optional:p",
  EnvVar: "Name:s Value:s ValueFrom:pEnvVarSource",
  EnvVarSource:
    "FieldRef:pObjectFieldSelector ResourceFieldRef:pResourceFieldSelector ConfigMapKeyRef:pConfigMapKeySelector SecretKeyRef:pSecretKeySelector FileKeyRef:pFileKeySelector",
  ConfigMapKeySelector: "^LocalObjectReference Key:s Optional:p",
  SecretKeySelector: "^LocalObjectReference Key:s Optional:p",
  FileKeySelector: "VolumeName:s Path:s Key:s Optional:p",
  ResourceRequirements: "Limits:m Requests:m Claims:lResourceClaim",
  ResourceClaim: "Name:s Request:s",
  ContainerResizePolicy: "ResourceName:s RestartPolicy:s",
  ContainerRestartRule: "Action:s ExitCodes:pContainerRestartRuleOnExitCodes",
  ContainerRestartRuleOnExitCodes: "Operator:s Values:l",
  VolumeMount:
    "Name:s ReadOnly:b RecursiveReadOnly:p MountPath:s SubPath:s MountPropagation:p SubPathExpr:s BindMountOptions:l",
  VolumeDevice: "Name:s DevicePath:s",
  Probe:
    "^ProbeHandler InitialDelaySeconds:i TimeoutSeconds:i PeriodSeconds:i SuccessThreshold:i FailureThreshold:i TerminationGracePeriodSeconds:p",
  ProbeHandler:
    "Exec:pExecAction HTTPGet:pHTTPGetAction TCPSocket:pTCPSocketAction GRPC:pGRPCAction",
  ExecAction: "Command:l",
  HTTPGetAction: "Path:s Port:i Host:s Scheme:s HTTPHeaders:lHTTPHeader Protocol:p",
  HTTPHeader: "Name:s Value:s",
  TCPSocketAction: "Port:i Host:s",
  GRPCAction: "Port:i Service:p Mode:p",
  Lifecycle: "PostStart:pLifecycleHandler PreStop:pLifecycleHandler StopSignal:p",
  LifecycleHandler:
    "Exec:pExecAction HTTPGet:pHTTPGetAction TCPSocket:pTCPSocketAction Sleep:pSleepAction",
  SleepAction: "Seconds:i",
  SecurityContext:
    "Capabilities:pCapabilities Privileged:p SELinuxOptions:pSELinuxOptions WindowsOptions:pWindowsSecurityContextOptions RunAsUser:p RunAsGroup:p RunAsNonRoot:p ReadOnlyRootFilesystem:p AllowPrivilegeEscalation:p ProcMount:p SeccompProfile:pSeccompProfile AppArmorProfile:pAppArmorProfile",
  Capabilities: "Add:l Drop:l",
  SELinuxOptions: "User:s Role:s Type:s Level:s",
  WindowsSecurityContextOptions:
    "GMSACredentialSpecName:p GMSACredentialSpec:p RunAsUserName:p HostProcess:p",
  SeccompProfile: "Type:s LocalhostProfile:p",
  AppArmorProfile: "Type:s LocalhostProfile:p",
  EphemeralContainer: "^EphemeralContainerCommon TargetContainerName:s",
  EphemeralContainerCommon:
    "Name:s Image:s Command:l Args:l WorkingDir:s Ports:lContainerPort EnvFrom:lEnvFromSource Env:lEnvVar Resources:oResourceRequirements ResizePolicy:lContainerResizePolicy RestartPolicy:p RestartPolicyRules:lContainerRestartRule VolumeMounts:lVolumeMount VolumeDevices:lVolumeDevice LivenessProbe:pProbe ReadinessProbe:pProbe StartupProbe:pProbe Lifecycle:pLifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:pSecurityContext Stdin:b StdinOnce:b TTY:b",
  PodSecurityContext:
    "SELinuxOptions:pSELinuxOptions WindowsOptions:pWindowsSecurityContextOptions RunAsUser:p RunAsGroup:p RunAsNonRoot:p SupplementalGroups:l SupplementalGroupsPolicy:p FSGroup:p Sysctls:lSysctl FSGroupChangePolicy:p SeccompProfile:pSeccompProfile AppArmorProfile:pAppArmorProfile SELinuxChangePolicy:p",
  Sysctl: "Name:s Value:s",
  Affinity: "NodeAffinity:pNodeAffinity PodAffinity:pPodAffinity PodAntiAffinity:pPodAntiAffinity",
  NodeAffinity:
    "RequiredDuringSchedulingIgnoredDuringExecution:pNodeSelector PreferredDuringSchedulingIgnoredDuringExecution:lPreferredSchedulingTerm",
  NodeSelector: "NodeSelectorTerms:lNodeSelectorTerm",
  NodeSelectorTerm:
    "MatchExpressions:lNodeSelectorRequirement MatchFields:lNodeSelectorRequirement",
  NodeSelectorRequirement: "Key:s Operator:s Values:l",
  PreferredSchedulingTerm: "Weight:i Preference:oNodeSelectorTerm",
  PodAffinity:
    "RequiredDuringSchedulingIgnoredDuringExecution:lPodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:lWeightedPodAffinityTerm",
  PodAffinityTerm:
    "LabelSelector:pmetav1.LabelSelector Namespaces:l TopologyKey:s NamespaceSelector:pmetav1.LabelSelector MatchLabelKeys:l MismatchLabelKeys:l",
  WeightedPodAffinityTerm: "Weight:i PodAffinityTerm:oPodAffinityTerm",
  PodAntiAffinity:
    "RequiredDuringSchedulingIgnoredDuringExecution:lPodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:lWeightedPodAffinityTerm",
  Toleration: "Key:s Operator:s Value:s Effect:s TolerationSeconds:p",
  HostAlias: "IP:s Hostnames:l",
  PodDNSConfig: "Nameservers:l Searches:l Options:lPodDNSConfigOption",
  PodDNSConfigOption: "Name:s Value:p",
  PodReadinessGate: "ConditionType:s",
  TopologySpreadConstraint:
    "MaxSkew:i TopologyKey:s WhenUnsatisfiable:s LabelSelector:pmetav1.LabelSelector MinDomains:p NodeAffinityPolicy:p NodeTaintsPolicy:p MatchLabelKeys:l",
  PodOS: "Name:s",
  PodSchedulingGate: "Name:s",
  PodResourceClaim: "Name:s ResourceClaimName:p ResourceClaimTemplateName:p",
  PodSchedulingGroup: "PodGroupName:p",
  EvictionResponder: "Name:s Priority:p",
  PodTemplateSpec: "^metav1.ObjectMeta Spec:oPodSpec",
  PersistentVolumeSource:
    "GCEPersistentDisk:pGCEPersistentDiskVolumeSource AWSElasticBlockStore:pAWSElasticBlockStoreVolumeSource HostPath:pHostPathVolumeSource Glusterfs:pGlusterfsPersistentVolumeSource NFS:pNFSVolumeSource RBD:pRBDPersistentVolumeSource ISCSI:pISCSIPersistentVolumeSource Cinder:pCinderPersistentVolumeSource CephFS:pCephFSPersistentVolumeSource FC:pFCVolumeSource Flocker:pFlockerVolumeSource FlexVolume:pFlexPersistentVolumeSource AzureFile:pAzureFilePersistentVolumeSource VsphereVolume:pVsphereVirtualDiskVolumeSource Quobyte:pQuobyteVolumeSource AzureDisk:pAzureDiskVolumeSource PhotonPersistentDisk:pPhotonPersistentDiskVolumeSource PortworxVolume:pPortworxVolumeSource ScaleIO:pScaleIOPersistentVolumeSource Local:pLocalVolumeSource StorageOS:pStorageOSPersistentVolumeSource CSI:pCSIPersistentVolumeSource",
  GlusterfsPersistentVolumeSource: "EndpointsName:s Path:s ReadOnly:b EndpointsNamespace:p",
  RBDPersistentVolumeSource:
    "CephMonitors:l RBDImage:s FSType:s RBDPool:s RadosUser:s Keyring:s SecretRef:pSecretReference ReadOnly:b",
  SecretReference: "Name:s Namespace:s",
  ISCSIPersistentVolumeSource:
    "TargetPortal:s IQN:s Lun:i ISCSIInterface:s FSType:s ReadOnly:b Portals:l DiscoveryCHAPAuth:b SessionCHAPAuth:b SecretRef:pSecretReference InitiatorName:p",
  CinderPersistentVolumeSource: "VolumeID:s FSType:s ReadOnly:b SecretRef:pSecretReference",
  CephFSPersistentVolumeSource:
    "Monitors:l Path:s User:s SecretFile:s SecretRef:pSecretReference ReadOnly:b",
  FlexPersistentVolumeSource: "Driver:s FSType:s SecretRef:pSecretReference ReadOnly:b Options:m",
  AzureFilePersistentVolumeSource: "SecretName:s ShareName:s ReadOnly:b SecretNamespace:p",
  ScaleIOPersistentVolumeSource:
    "Gateway:s System:s SecretRef:pSecretReference SSLEnabled:b ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType:s ReadOnly:b",
  LocalVolumeSource: "Path:s FSType:p",
  StorageOSPersistentVolumeSource:
    "VolumeName:s VolumeNamespace:s FSType:s ReadOnly:b SecretRef:pObjectReference",
  ObjectReference: "Kind:s Namespace:s Name:s UID:s APIVersion:s ResourceVersion:s FieldPath:s",
  CSIPersistentVolumeSource:
    "Driver:s VolumeHandle:s ReadOnly:b FSType:s VolumeAttributes:m ControllerPublishSecretRef:pSecretReference NodeStageSecretRef:pSecretReference NodePublishSecretRef:pSecretReference ControllerExpandSecretRef:pSecretReference NodeExpandSecretRef:pSecretReference",
  "resource.ResourceClaimTemplateSpec": "^metav1.ObjectMeta Spec:oresource.ResourceClaimSpec",
  "resource.ResourceClaimSpec": "Devices:oresource.DeviceClaim",
  "resource.DeviceClaim":
    "Requests:lresource.DeviceRequest Constraints:lresource.DeviceConstraint Config:lresource.DeviceClaimConfiguration",
  "resource.DeviceRequest":
    "Name:s Exactly:presource.ExactDeviceRequest FirstAvailable:lresource.DeviceSubRequest",
  "resource.ExactDeviceRequest":
    "DeviceClassName:s Selectors:lresource.DeviceSelector AllocationMode:s Count:i AdminAccess:p Tolerations:lresource.DeviceToleration Capacity:presource.CapacityRequirements DerivedAttributes:lresource.DeviceDerivedAttribute",
  "resource.DeviceSelector": "CEL:presource.CELDeviceSelector",
  "resource.CELDeviceSelector": "Expression:s",
  "resource.DeviceToleration": "Key:s Operator:s Value:s Effect:s TolerationSeconds:p",
  "resource.CapacityRequirements": "Requests:m",
  "resource.DeviceDerivedAttribute": "Name:s Expression:s",
  "resource.DeviceSubRequest":
    "Name:s DeviceClassName:s Selectors:lresource.DeviceSelector AllocationMode:s Count:i Tolerations:lresource.DeviceToleration Capacity:presource.CapacityRequirements DerivedAttributes:lresource.DeviceDerivedAttribute",
  "resource.DeviceConstraint": "Requests:l MatchAttribute:p DistinctAttribute:p",
  "resource.DeviceClaimConfiguration": "Requests:l ^resource.DeviceConfiguration",
  "resource.DeviceConfiguration": "Opaque:presource.OpaqueDeviceConfiguration",
  "resource.OpaqueDeviceConfiguration": "Driver:s Parameters:p",
  PodFailurePolicy: "Rules:lPodFailurePolicyRule",
  PodFailurePolicyRule:
    "Action:s OnExitCodes:pPodFailurePolicyOnExitCodesRequirement OnPodConditions:lPodFailurePolicyOnPodConditionsPattern",
  PodFailurePolicyOnExitCodesRequirement: "ContainerName:p Operator:s Values:l",
  PodFailurePolicyOnPodConditionsPattern: "Type:s Status:s",
  SuccessPolicy: "Rules:lSuccessPolicyRule",
  SuccessPolicyRule: "SucceededIndexes:p SucceededCount:p",
};
