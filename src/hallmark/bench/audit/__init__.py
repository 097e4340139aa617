"""What can a cheat learn from a benchmark without looking anything up?"""

from hallmark.bench.audit.leak import Leak
from hallmark.bench.audit.scan import audit_file, audit_folder

__all__ = ["Leak", "audit_file", "audit_folder"]
