! SPDX-License-Identifier: MIT
! hit for programs in Fortran 2018 (docs/fortran.md). Names, arguments and statuses are those of C (hit/hit.h); domains and
! indices are in Fortran's order, the first dimension fastest: u(i, j) is hit(u, j, i) in a kernel. What has the same
! types on both sides is called as it is; for the rest a function below brings the order, and texts, over.
module hit
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private :: error_unit

  integer, parameter :: hit_index = c_int64_t
  integer(c_int), parameter :: hit_ok = 0, hit_e_arg = 1, hit_read = 0, hit_write = 1, hit_read_write = 2, hit_boundary_none = 0, &
    hit_boundary_constant = 1, hit_boundary_periodic = 2, hit_boundary_clamp = 3, hit_boundary_mirror = 4
  integer, parameter, private :: max_dims = 4, max_value = 16

  type, bind(c) :: hit_context; type(c_ptr) :: handle = c_null_ptr; end type
  type, bind(c) :: hit_layout; type(c_ptr) :: handle = c_null_ptr; end type
  type, bind(c) :: hit_tile; type(c_ptr) :: handle = c_null_ptr; end type
  ! of a kernel file: type(hit_kernel), bind(c, name="heat") :: heat, in a module
  type, bind(c) :: hit_kernel; integer(c_int64_t) :: of_c(52); end type
  type, bind(c) :: hit_type; integer(c_int) :: kind; integer(c_size_t) :: size_bytes; end type
  type(hit_type), parameter :: hit_float = hit_type(1, 4), hit_double = hit_type(2, 8), hit_int8 = hit_type(3, 1), &
    hit_int16 = hit_type(4, 2), hit_int32 = hit_type(5, 4), hit_int64 = hit_type(6, 8), hit_bool = hit_type(11, 1), &
    hit_complex_float = hit_type(12, 8), hit_complex_double = hit_type(13, 16)
  type, bind(c) :: hit_sig; integer(c_int64_t) :: begin = 0, end = -1, stride = 1; end type
  type, bind(c) :: hit_domain
    integer(c_int) :: dims = 0
    type(hit_sig) :: sig(max_dims) ! in C's order: sig(1) is the last dimension of Fortran
  end type
  type, bind(c) :: hit_view ! the same
    type(hit_domain) :: domain; type(c_ptr) :: data
    integer(c_intptr_t) :: stride_bytes(max_dims); integer(c_size_t) :: size_bytes
  end type
  type :: hit_arg ! of a launch: hit_arg(tile), or of a number, which is copied
    private
    type(hit_tile) :: tile
    type(hit_type) :: type = hit_type(0, 0)
    integer(c_int8_t) :: value(max_value) = 0
  end type
  type, bind(c), private :: hit_c_arg; type(c_ptr) :: tile, value; type(hit_type) :: type; end type
  type, bind(c), private :: hit_c_options
    type(c_ptr) :: devices = c_null_ptr; integer(c_size_t) :: device_memory_bytes = 0; integer(c_int) :: threads = 0
    type(c_ptr) :: device_kinds = c_null_ptr, schedulers = c_null_ptr, out = c_null_ptr
  end type
  type, bind(c), private :: hit_c_array
    type(c_ptr) :: first
    integer(c_int64_t) :: stride(max_dims) = 0, before(max_dims) = 0, behind(max_dims) = 0
  end type

  interface hit_arg
    module procedure arg_tile, arg_float, arg_double, arg_int32, arg_int64, arg_complex_float, arg_complex_double
  end interface
  interface hit_view_array ! (view, u, status): u points to its elements, by the global indices; see below
    module procedure float_1, float_2, float_3, double_1, double_2, double_3, int32_1, int32_2, int32_3
  end interface
  private :: arg_tile, arg_float, arg_double, arg_int32, arg_int64, arg_complex_float, arg_complex_double, float_1, &
    float_2, float_3, double_1, double_2, double_3, int32_1, int32_2, int32_3, has_array, step_of, z, options_of, from_c

  interface ! what is called as it is: pieces are 0 to hit_tile_pieces(tile) - 1; values have the tile's type
    subroutine hit_close(context) bind(c); import; type(hit_context), intent(inout) :: context; end subroutine
    integer(c_int) function hit_rank(context) bind(c); import; type(hit_context), value :: context; end function
    integer(c_int) function hit_size(context) bind(c); import; type(hit_context), value :: context; end function
    real(c_double) function hit_time(context) bind(c); import; type(hit_context), value :: context; end function
    integer(c_int) function hit_barrier(context) bind(c); import; type(hit_context), value :: context; end function
    integer(c_int) function hit_wait(context) bind(c); import; type(hit_context), value :: context; end function
    integer(c_int) function hit_chain(context, launches) bind(c); import; type(hit_context), value :: context
      integer(c_int), value :: launches; end function
    integer(c_int) function hit_layout_from_parts(context, domain, mine, layout) bind(c); import
      type(hit_context), value :: context; type(hit_domain), value :: domain, mine
      type(hit_layout), intent(out) :: layout; end function
    subroutine hit_layout_destroy(layout) bind(c); import; type(hit_layout), intent(inout) :: layout; end subroutine
    type(hit_domain) function hit_domain_grow(domain, width) bind(c); import; type(hit_domain), value :: domain
      integer(c_int64_t), value :: width; end function
    type(hit_domain) function hit_tile_domain(tile) bind(c); import; type(hit_tile), value :: tile; end function
    type(hit_type) function hit_tile_type(tile) bind(c); import; type(hit_tile), value :: tile; end function
    integer(c_int) function hit_tile_pieces(tile) bind(c); import; type(hit_tile), value :: tile; end function
    integer(c_int) function hit_tile_map(tile, piece, intent, view) bind(c); import; type(hit_tile), value :: tile
      integer(c_int), value :: piece, intent; type(hit_view), intent(out) :: view; end function
    integer(c_int) function hit_tile_select(parent, domain, tile) bind(c); import; type(hit_tile), value :: parent
      type(hit_domain), value :: domain; type(hit_tile), intent(out) :: tile; end function
    subroutine hit_tile_destroy(tile) bind(c); import; type(hit_tile), intent(inout) :: tile; end subroutine
    subroutine hit_tile_swap(a, b) bind(c); import; type(hit_tile), intent(inout) :: a, b; end subroutine
    integer(c_int) function hit_tile_fill(tile, value) bind(c); import; type(hit_tile), value :: tile
      type(*), intent(in) :: value; end function
    integer(c_int) function hit_tile_copy(from, to) bind(c); import; type(hit_tile), value :: from, to; end function
    integer(c_int) function hit_tile_relayout(tile, layout) bind(c); import; type(hit_tile), value :: tile
      type(hit_layout), value :: layout; end function
    integer(c_int) function hit_tile_gather(tile, root, elements) bind(c); import; type(hit_tile), value :: tile
      integer(c_int), value :: root; type(*), intent(inout), optional :: elements(*); end function
    integer(c_int) function hit_tile_scatter(tile, root, elements) bind(c); import; type(hit_tile), value :: tile
      integer(c_int), value :: root; type(*), intent(in), optional :: elements(*); end function
  end interface
  interface ! what is brought over
    subroutine hit_c_exit(code) bind(c, name="exit"); import; integer(c_int), value :: code; end subroutine
    integer(c_int) function hit_c_open_with(argc, argv, options, context) bind(c, name="hit_open_with"); import
      type(c_ptr), value :: argc, argv; type(hit_c_options), intent(in) :: options
      type(hit_context), intent(out) :: context; end function
    integer(c_int) function hit_c_open_from(comm, options, context) bind(c, name="hit_open_from_fortran"); import
      integer(c_int), value :: comm; type(hit_c_options), intent(in) :: options; type(hit_context), intent(out) :: context
      end function
    type(c_ptr) function hit_c_status_text() bind(c, name="hit_status_text"); import; end function
    type(c_ptr) function hit_c_status_name(status) bind(c, name="hit_status_name"); import
      integer(c_int), value :: status; end function
    integer(c_int) function hit_c_layout_create(context, domain, text, layout) bind(c, name="hit_layout_create"); import
      type(hit_context), value :: context; type(hit_domain), value :: domain
      character(kind=c_char), intent(in) :: text(*); type(hit_layout), intent(out) :: layout; end function
    integer(c_int) function hit_c_tile_create(layout, type, name, tile) bind(c, name="hit_tile_create"); import
      type(hit_layout), value :: layout; type(hit_type), value :: type; character(kind=c_char), intent(in) :: name(*)
      type(hit_tile), intent(out) :: tile; end function
    integer(c_int) function hit_c_tile_adopt(layout, type, name, array, tile) bind(c, name="hit_tile_adopt"); import
      type(hit_layout), value :: layout; type(hit_type), value :: type; character(kind=c_char), intent(in) :: name(*)
      type(hit_c_array), intent(in) :: array; type(hit_tile), intent(out) :: tile; end function
    integer(c_int) function hit_c_tile_get(tile, index, value) bind(c, name="hit_tile_get"); import
      type(hit_tile), value :: tile; integer(c_int64_t), intent(in) :: index(*); type(*), intent(inout) :: value
      end function
    integer(c_int) function hit_c_set_boundary(tile, dim, boundary, value) bind(c, name="hit_tile_set_boundary"); import
      type(hit_tile), value :: tile; integer(c_int), value :: dim, boundary; type(*), intent(in), optional :: value
      end function
    integer(c_int) function hit_c_write(tile, path, options) bind(c, name="hit_tile_write"); import
      type(hit_tile), value :: tile; character(kind=c_char), intent(in) :: path(*), options(*); end function
    integer(c_int) function hit_c_read(tile, path, options) bind(c, name="hit_tile_read"); import
      type(hit_tile), value :: tile; character(kind=c_char), intent(in) :: path(*), options(*); end function
    integer(c_int) function hit_c_kernel_find(context, name, kernel) bind(c, name="hit_kernel_find"); import
      type(hit_context), value :: context; character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(out) :: kernel; end function
    integer(c_int) function hit_c_launch(context, layout, kernel, domain, count, args) bind(c, name="hit_launch_args"); import
      type(hit_context), value :: context; type(hit_layout), value :: layout; type(hit_kernel), intent(in) :: kernel
      type(hit_domain), value :: domain; integer(c_int), value :: count; type(hit_c_arg), intent(in) :: args(*)
      end function
  end interface

contains

  ! --- contexts and failures ---

  integer(c_int) function hit_open(context, devices) result(status)
    type(hit_context), intent(out) :: context
    character(*), intent(in), optional :: devices ! "host:threads=4"; else as HIT_DEVICES says
    character(:), allocatable, target :: text
    text = z(devices)
    status = hit_c_open_with(c_null_ptr, c_null_ptr, options_of(text), context)
  end function

  integer(c_int) function hit_open_from(comm, context, devices) result(status) ! comm%mpi_val of mpi_f08
    integer, intent(in) :: comm; type(hit_context), intent(out) :: context
    character(*), intent(in), optional :: devices; character(:), allocatable, target :: text
    text = z(devices)
    status = hit_c_open_from(int(comm, c_int), options_of(text), context)
  end function

  subroutine hit_must(status) ! a failure is printed, and ends the program
    integer(c_int), intent(in) :: status
    if (status == hit_ok) return
    write (error_unit, '(a)') from_c(hit_c_status_name(status))//": "//hit_status_text()
    flush (error_unit)
    call hit_c_exit(1_c_int)
  end subroutine

  function hit_status_text() result(text) ! of the last failure
    character(:), allocatable :: text
    text = from_c(hit_c_status_text())
  end function

  ! --- domains, layouts, tiles ---

  pure type(hit_domain) function hit_domain_of(upper, lower) result(domain) ! [n, m]: 1..n x 1..m
    integer, intent(in) :: upper(:); integer, intent(in), optional :: lower(:); integer :: d
    domain%dims = size(upper, kind=c_int)
    if (size(upper) > max_dims) return ! which C refuses
    domain%sig(:size(upper)) = [(hit_sig(1_hit_index, int(upper(d), hit_index), 1_hit_index), d=size(upper), 1, -1)]
    if (present(lower)) domain%sig(:size(upper))%begin = lower(size(upper):1:-1)
  end function

  integer(c_int) function hit_layout_create(context, domain, text, layout) result(status)
    type(hit_context), intent(in) :: context; type(hit_domain), intent(in) :: domain
    character(*), intent(in) :: text ! "block", "cyclic" ...
    type(hit_layout), intent(out) :: layout
    status = hit_c_layout_create(context, domain, z(text), layout)
  end function

  integer(c_int) function hit_tile_create(layout, type, name, tile) result(status)
    type(hit_layout), intent(in) :: layout
    type(hit_type), intent(in) :: type ! hit_float ...; hit_type(0, bytes) of others
    character(*), intent(in) :: name; type(hit_tile), intent(out) :: tile
    status = hit_c_tile_create(layout, type, z(name), tile)
  end function

  ! A tile in an array: first is c_loc() of the first element that this process owns, or c_null_ptr, before and behind are
  ! the ghosts around these elements, and extent is shape() of the array where there is more in it.
  integer(c_int) function hit_tile_adopt(layout, type, name, first, before, behind, tile, extent) result(status)
    type(hit_layout), intent(in) :: layout; type(hit_type), intent(in) :: type
    character(*), intent(in) :: name; type(c_ptr), intent(in) :: first
    integer, intent(in) :: before(:), behind(:)
    type(hit_tile), intent(out) :: tile; integer, intent(in), optional :: extent(:)
    type(hit_c_array) :: array; integer :: d, n
    n = min(size(before), size(behind), max_dims)
    array%first = first
    array%before(:n) = before(n:1:-1)
    array%behind(:n) = behind(n:1:-1)
    if (present(extent)) array%stride(:n) = [(product(int(extent(:d - 1), hit_index)), d=n, 1, -1)]
    status = hit_c_tile_adopt(layout, type, z(name), array, tile)
  end function

  integer(c_int) function hit_tile_get(tile, index, value) result(status) ! on all processes
    type(hit_tile), intent(in) :: tile; integer, intent(in) :: index(:)
    type(*), intent(inout) :: value
    status = hit_c_tile_get(tile, [int(index(size(index):1:-1), hit_index), spread(0_hit_index, 1, max_dims)], value)
  end function

  integer(c_int) function hit_tile_set_boundary(tile, dim, boundary, value) result(status)
    type(hit_tile), intent(in) :: tile
    integer, intent(in) :: dim; integer(c_int), intent(in) :: boundary ! dim is Fortran's, or 0: all of them
    type(*), intent(in), optional :: value
    type(hit_domain) :: domain; integer :: of_c
    domain = hit_tile_domain(tile)
    of_c = merge(-1, merge(domain%dims - dim, -1 - dim, dim <= domain%dims), dim == 0) ! C refuses those that are not there
    status = hit_c_set_boundary(tile, int(of_c, c_int), boundary, value)
  end function

  integer(c_int) function hit_tile_write(tile, path, options) result(status) ! "heat.npy"
    type(hit_tile), intent(in) :: tile; character(*), intent(in) :: path
    character(*), intent(in), optional :: options
    status = hit_c_write(tile, z(path), z(options))
  end function

  integer(c_int) function hit_tile_read(tile, path, options) result(status)
    type(hit_tile), intent(in) :: tile; character(*), intent(in) :: path
    character(*), intent(in), optional :: options
    status = hit_c_read(tile, z(path), z(options))
  end function

  ! --- launches ---

  integer(c_int) function hit_kernel_find(context, name, kernel) result(status) ! "axpy_float"
    type(hit_context), intent(in) :: context; character(*), intent(in) :: name
    type(hit_kernel), pointer, intent(out) :: kernel; type(c_ptr) :: found
    nullify (kernel)
    status = hit_c_kernel_find(context, z(name), found)
    if (status == hit_ok) call c_f_pointer(found, kernel)
  end function

  integer(c_int) function hit_launch(context, kernel, domain, args, on, layout, only) result(status)
    type(hit_context), intent(in) :: context; type(hit_kernel), intent(in) :: kernel
    type(hit_domain), intent(in) :: domain; type(hit_arg), intent(in), target :: args(:)
    character(*), intent(in), optional :: on, only ! the devices, "cuda"; the indices, by names of the kernel, "j <= i"
    type(hit_layout), intent(in), optional :: layout ! that splits the indices
    type(hit_c_arg) :: packed(size(args) + 2); type(hit_layout) :: split
    character(:), allocatable, target :: devices, indices; integer :: k, n
    n = size(args)
    do k = 1, n
      packed(k) = hit_c_arg(args(k)%tile%handle, c_null_ptr, args(k)%type)
      if (.not. c_associated(packed(k)%tile) .and. packed(k)%type%size_bytes > 0) packed(k)%value = c_loc(args(k)%value)
    end do
    devices = z(on); indices = z(only)
    if (present(on)) n = n + 1; if (present(on)) packed(n) = hit_c_arg(c_null_ptr, c_loc(devices), hit_type(0, 0))
    if (present(only)) n = n + 1; if (present(only)) packed(n) = hit_c_arg(c_null_ptr, c_loc(indices), hit_type(hit_int8%kind, 0))
    if (present(layout)) split = layout
    status = hit_c_launch(context, split, kernel, domain, int(n, c_int), packed)
  end function

  type(hit_arg) function arg_tile(tile) result(arg)
    type(hit_tile), intent(in) :: tile
    arg%tile = tile; arg%type = hit_tile_type(tile)
  end function

  type(hit_arg) function arg_float(value) result(arg)
    real(c_float), intent(in) :: value
    arg%type = hit_float; arg%value(:hit_float%size_bytes) = transfer(value, arg%value)
  end function
  type(hit_arg) function arg_double(value) result(arg)
    real(c_double), intent(in) :: value
    arg%type = hit_double; arg%value(:hit_double%size_bytes) = transfer(value, arg%value)
  end function
  type(hit_arg) function arg_int32(value) result(arg)
    integer(c_int32_t), intent(in) :: value
    arg%type = hit_int32; arg%value(:hit_int32%size_bytes) = transfer(value, arg%value)
  end function
  type(hit_arg) function arg_int64(value) result(arg)
    integer(c_int64_t), intent(in) :: value
    arg%type = hit_int64; arg%value(:hit_int64%size_bytes) = transfer(value, arg%value)
  end function
  type(hit_arg) function arg_complex_float(value) result(arg)
    complex(c_float_complex), intent(in) :: value
    arg%type = hit_complex_float; arg%value(:hit_complex_float%size_bytes) = transfer(value, arg%value)
  end function
  type(hit_arg) function arg_complex_double(value) result(arg)
    complex(c_double_complex), intent(in) :: value
    arg%type = hit_complex_double; arg%value(:hit_complex_double%size_bytes) = transfer(value, arg%value)
  end function

  ! --- elements: a(i, j) of a view, i and j global but in dimensions with steps, which count from 1; null where there are none ---

  subroutine float_1(view, a, status); integer(c_int), intent(out), optional :: status
    type(hit_view), intent(in) :: view; real(c_float), pointer :: a(:), all(:); integer(hit_index) :: n(1), low(1), top(1)
    nullify (a); if (.not. has_array(view, hit_float, n, low, top, status)) return
    call c_f_pointer(view%data, all, n); a(low(1):) => all(:top(1):step_of(view))
  end subroutine
  subroutine float_2(view, a, status); integer(c_int), intent(out), optional :: status
    type(hit_view), intent(in) :: view; real(c_float), pointer :: a(:, :), all(:, :)
    integer(hit_index) :: n(2), low(2), top(2)
    nullify (a); if (.not. has_array(view, hit_float, n, low, top, status)) return
    call c_f_pointer(view%data, all, n); a(low(1):, low(2):) => all(:top(1):step_of(view), :top(2))
  end subroutine
  subroutine float_3(view, a, status); integer(c_int), intent(out), optional :: status
    type(hit_view), intent(in) :: view; real(c_float), pointer :: a(:, :, :), all(:, :, :)
    integer(hit_index) :: n(3), low(3), top(3)
    nullify (a); if (.not. has_array(view, hit_float, n, low, top, status)) return
    call c_f_pointer(view%data, all, n); a(low(1):, low(2):, low(3):) => all(:top(1):step_of(view), :top(2), :)
  end subroutine
  subroutine double_1(view, a, status); integer(c_int), intent(out), optional :: status
    type(hit_view), intent(in) :: view; real(c_double), pointer :: a(:), all(:); integer(hit_index) :: n(1), low(1), top(1)
    nullify (a); if (.not. has_array(view, hit_double, n, low, top, status)) return
    call c_f_pointer(view%data, all, n); a(low(1):) => all(:top(1):step_of(view))
  end subroutine
  subroutine double_2(view, a, status); integer(c_int), intent(out), optional :: status
    type(hit_view), intent(in) :: view; real(c_double), pointer :: a(:, :), all(:, :)
    integer(hit_index) :: n(2), low(2), top(2)
    nullify (a); if (.not. has_array(view, hit_double, n, low, top, status)) return
    call c_f_pointer(view%data, all, n); a(low(1):, low(2):) => all(:top(1):step_of(view), :top(2))
  end subroutine
  subroutine double_3(view, a, status); integer(c_int), intent(out), optional :: status
    type(hit_view), intent(in) :: view; real(c_double), pointer :: a(:, :, :), all(:, :, :)
    integer(hit_index) :: n(3), low(3), top(3)
    nullify (a); if (.not. has_array(view, hit_double, n, low, top, status)) return
    call c_f_pointer(view%data, all, n); a(low(1):, low(2):, low(3):) => all(:top(1):step_of(view), :top(2), :)
  end subroutine
  subroutine int32_1(view, a, status); integer(c_int), intent(out), optional :: status
    type(hit_view), intent(in) :: view; integer(c_int32_t), pointer :: a(:), all(:); integer(hit_index) :: n(1), low(1), top(1)
    nullify (a); if (.not. has_array(view, hit_int32, n, low, top, status)) return
    call c_f_pointer(view%data, all, n); a(low(1):) => all(:top(1):step_of(view))
  end subroutine
  subroutine int32_2(view, a, status); integer(c_int), intent(out), optional :: status
    type(hit_view), intent(in) :: view; integer(c_int32_t), pointer :: a(:, :), all(:, :)
    integer(hit_index) :: n(2), low(2), top(2)
    nullify (a); if (.not. has_array(view, hit_int32, n, low, top, status)) return
    call c_f_pointer(view%data, all, n); a(low(1):, low(2):) => all(:top(1):step_of(view), :top(2))
  end subroutine
  subroutine int32_3(view, a, status); integer(c_int), intent(out), optional :: status
    type(hit_view), intent(in) :: view; integer(c_int32_t), pointer :: a(:, :, :), all(:, :, :)
    integer(hit_index) :: n(3), low(3), top(3)
    nullify (a); if (.not. has_array(view, hit_int32, n, low, top, status)) return
    call c_f_pointer(view%data, all, n); a(low(1):, low(2):, low(3):) => all(:top(1):step_of(view), :top(2), :)
  end subroutine

  ! Are there elements? They lie in an array as large as strides say, at 1 to top of each dimension.
  logical function has_array(view, type, extent, low, top, status)
    type(hit_view), intent(in) :: view; type(hit_type), intent(in) :: type
    integer(hit_index), intent(out) :: extent(:), low(:), top(:)
    integer(c_int), intent(out), optional :: status; integer :: n
    integer(hit_index) :: within(size(low)), stride(size(low))
    n = size(low); if (present(status)) status = hit_ok
    has_array = view%domain%dims > 0 .and. all(view%domain%sig(:view%domain%dims)%begin <= view%domain%sig(:view%domain%dims)%end)
    if (.not. has_array) return
    has_array = view%domain%dims == n .and. view%size_bytes == type%size_bytes
    if (has_array) then
      associate (sig => view%domain%sig(n:1:-1))
        low = merge(sig%begin, 1_hit_index, sig%stride == 1)
        top = (sig%end - sig%begin)/sig%stride + 1
      end associate
      stride = view%stride_bytes(n:1:-1)
      within = [int(type%size_bytes, hit_index), stride(2:)]
      top(1) = (top(1) - 1)*step_of(view) + 1
      extent = [stride(2:)/within(:n - 1), top(n)]
      has_array = all(extent(:n - 1)*within(:n - 1) == stride(2:))
    end if
    if (.not. (has_array .or. present(status))) error stop "hit_view_array: expected an array of the view's elements and dimensions"
    if (present(status) .and. .not. has_array) status = hit_e_arg
  end function

  pure integer(hit_index) function step_of(view) ! along the first dimension of Fortran
    type(hit_view), intent(in) :: view
    step_of = view%stride_bytes(max(1, view%domain%dims))/max(1_hit_index, int(view%size_bytes, hit_index))
  end function

  ! --- texts ---

  pure function z(text) result(ended)
    character(*), intent(in), optional :: text
    character(:), allocatable :: ended
    ended = c_null_char
    if (present(text)) ended = trim(text)//c_null_char
  end function

  type(hit_c_options) function options_of(devices) result(options)
    character(*), intent(in), target :: devices
    if (len(devices) > 1) options%devices = c_loc(devices)
  end function

  function from_c(text) result(made)
    type(c_ptr), intent(in) :: text
    character(:), allocatable :: made; character(kind=c_char), pointer :: letter(:); integer :: k
    call c_f_pointer(text, letter, [huge(0)])
    made = ""
    do k = 1, huge(0) - 1
      if (letter(k) == c_null_char) exit
      made = made//letter(k)
    end do
  end function
end module
