#!/bin/sh
# machine.sh FOLDER CHECKOUT: a machine under systemd whose disk is a copy of this one's, in namespaces of its own: what is done there is
# seen nowhere else, its network leads nowhere, and it ends with this process. FOLDER is for its disk, CHECKOUT stands in /opt/lacre.
set -eu
disk="$1/disk"
mount -t tmpfs -o size=6g machine "$1"
mkdir "$1/upper" "$1/work" "$1/code" "$1/code-work" "$disk"
mount -t overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" machine "$disk"
cd "$disk"
mkdir -p opt/lacre
mount -t overlay -o "lowerdir=$2,upperdir=$1/code,workdir=$1/code-work" code opt/lacre
mount -t proc proc proc
# What belongs to the kernel is this machine's.
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
# Read-only, by which systemd knows that devices are another's.
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
mkdir dev/pts dev/shm
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mount -t devpts -o newinstance,ptmxmode=0666,gid=5 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
: > dev/console
mkdir -p dev/mqueue dev/hugepages
ip link set lo up
echo machine > etc/hostname
echo '127.0.0.1 localhost machine invoices.example.com' > etc/hosts
# Nothing of what this machine happens to start by itself, and no program of its own of that name.
rm -rf etc/systemd/system/*.wants etc/lacre
for unit in console-getty.service getty.target systemd-networkd.service systemd-resolved.service systemd-timesyncd.service avahi-daemon.socket systemd-modules-load.service sys-kernel-debug.mount sys-kernel-tracing.mount sys-fs-fuse-connections.mount; do
  ln -sf /dev/null "etc/systemd/system/$unit"
done
ln -sf /lib/systemd/system/multi-user.target etc/systemd/system/default.target
# Its root is that of its namespace, of which systemd makes copies for units that may see only a part.
pivot_root . mnt
cd /
umount -l mnt
# In a container systemd leaves that to who starts it: what it mounts for a unit goes from one copy to the others.
mount --make-rshared /
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --show-status=0
